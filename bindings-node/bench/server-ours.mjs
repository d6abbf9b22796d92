if (process.argv[2] === 'wasm') process.env.WIRELINE_WASM = '1'
const { Server } = await import('wireline/server')

await new Server({ name: 'bench', version: '1.0' }).serveStdio()
