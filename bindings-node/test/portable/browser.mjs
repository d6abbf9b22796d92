// browser.mjs FOLDER CHROMIUM: the check in a browser, with what `vectors.mjs` wrote to FOLDER. Three times: as the modules
// of the package with an import map, as a bundle, and as that bundle in a worker.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [folder, chromium] = process.argv.slice(2)
const home = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))

/** What a package's map says, by the first of these conditions that it knows. */
function resolve(map, conditions) {
  if (typeof map === 'string') return map
  const known = Object.keys(map).find((key) => conditions.includes(key))
  return resolve(map[known], conditions)
}

const conditions = ['browser', 'import', 'default']
const file = (map) => `/package/${resolve(map, conditions).slice(2)}`
const imports = { wireline: file(manifest.exports['.']), '#native': file(manifest.imports['#native']) }

const program = `
  import * as wireline from 'wireline'
  import { run } from './check.mjs'
  const get = async (name) => await (await fetch('/vectors/' + name)).arrayBuffer()
  export async function check() {
    const index = JSON.parse(new TextDecoder().decode(await get('vectors.json')))
    return await run(wireline, index, new Uint8Array(await get('vectors.bin')))
  }`
const report = `
  const tell = (name, text) => fetch('/result/' + name, { method: 'POST', body: text })
  const told = (name, made) => made.then((text) => tell(name, text), (error) => tell(name, 'FAILED ' + (error.stack ?? error) + ' ' + error))`

async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(home, 'test', 'portable') },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}

const pages = {
  '/': `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">
      ${report}
      const page = await import('/program.mjs')
      await told('modules', page.check())
      const { check } = await import('/bundle.mjs')
      await told('bundle', check())
      new Worker('/worker.mjs', { type: 'module' }).onerror = (event) => tell('worker', 'FAILED ' + event.message)
    </script>`,
  '/program.mjs': program.replaceAll('./check.mjs', '/test/portable/check.mjs'),
  '/bundle.mjs': await bundle(program),
  '/worker.mjs': await bundle(`${program}\n${report}\ntold('worker', check())`),
}
const types = { '.mjs': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' }
const roots = { package: home, test: join(home, 'test'), vectors: folder }

const wanted = ['modules', 'bundle', 'worker']
let failed = false
const results = new Map()
let finish
const finished = new Promise((resolve) => (finish = resolve))

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const [, root, ...rest] = normalize(pathname).split('/')
  if (root === 'result') {
    let text = ''
    for await (const chunk of request) text += chunk
    results.set(rest[0], text)
    failed ||= text.startsWith('FAILED')
    console.log(`${rest[0]}: ${text}`)
    response.end()
    if (failed || wanted.every((name) => results.has(name))) finish()
    return
  }
  const page = pages[pathname]
  try {
    const body = page ?? readFileSync(join(roots[root], ...rest))
    response.setHeader('content-type', page !== undefined && pathname === '/' ? 'text/html' : (types[extname(pathname)] ?? 'application/octet-stream'))
    response.end(body)
  } catch {
    response.statusCode = 404
    response.end()
  }
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const profile = mkdtempSync(join(tmpdir(), 'wireline-browser-'))
const browser = spawn(
  chromium,
  ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`],
  { stdio: ['ignore', 'ignore', 'pipe'] }
)
let complaints = ''
browser.stderr.on('data', (chunk) => (complaints += chunk))
const exited = once(browser, 'exit')
const time = setTimeout(finish, 120_000)
await Promise.race([finished, exited])
clearTimeout(time)
browser.kill()
await exited
server.close()
rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
const missing = wanted.filter((name) => !results.has(name))
if (failed || missing.length > 0) {
  console.error(`the check failed in the browser${missing.length > 0 ? `; nothing came from: ${missing.join(', ')}` : ''}\n${complaints}`)
  process.exitCode = 1
}
