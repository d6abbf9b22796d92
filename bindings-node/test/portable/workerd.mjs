// workerd.mjs FOLDER WORKERD: the check in the runtime of Cloudflare's Workers, with what `vectors.mjs` wrote to FOLDER. It
// compiles no bytes: the module comes as a file beside the bundle.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = resolve(process.argv[2])
const workerd = process.argv[3]
const out = join(folder, 'workerd')
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

await build({
  stdin: {
    contents: `
      import * as wireline from 'wireline'
      import { init } from 'wireline/wasm'
      import { run } from './check.mjs'
      export default {
        async fetch(_request, { VECTORS, INPUTS }) {
          try {
            await init()
            return new Response(await run(wireline, VECTORS, new Uint8Array(INPUTS)))
          } catch (error) {
            return new Response('FAILED ' + error.stack, { status: 500 })
          }
        }
      }`,
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'worker', 'browser'],
  loader: { '.wasm': 'copy' },
  outfile: join(out, 'main.mjs'),
  logLevel: 'error',
})
const modules = readdirSync(out).filter((name) => name.endsWith('.wasm'))
writeFileSync(
  join(out, 'config.capnp'),
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "main.mjs", esModule = embed "main.mjs"),
      ${modules.map((name) => `(name = "./${name}", wasm = embed "${name}"),`).join('\n')}
    ],
    bindings = [
      (name = "VECTORS", json = embed "../vectors.json"),
      (name = "INPUTS", data = embed "../vectors.bin"),
    ],
    compatibilityDate = "2025-05-05",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`
)

const server = spawn(workerd, ['serve', '--control-fd=3', join(out, 'config.capnp')], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
const exited = once(server, 'exit')
let control = ''
const port = new Promise((found) => {
  server.stdio[3].on('data', (chunk) => {
    control += chunk
    const listening = control.split('\n').filter((it) => it.includes('"port"')).map((it) => JSON.parse(it))[0]
    if (listening !== undefined) found(listening.port)
  })
})
const dead = exited.then(([code]) => Promise.reject(new Error(`${basename(workerd)} exited with ${code}`)))
try {
  const response = await Promise.race([fetch(`http://127.0.0.1:${await Promise.race([port, dead])}/`), dead])
  const text = await response.text()
  console.log(`workerd: ${text}`)
  if (!response.ok) process.exitCode = 1
} finally {
  server.kill()
  dead.catch(() => {})
}
