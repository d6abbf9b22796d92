// pack.mjs FOLDER: lays the packages out in FOLDER and packs them: `wireline`, and one for each platform whose binary is
// in `native/`. The others are laid out without a binary, for the machines that build them. Prints the archives.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOf, targets } from './targets.mjs'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = resolve(process.argv[2] ?? join(home, '..', 'target', 'npm'))
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
const licences = ['LICENSE-APACHE', 'LICENSE-MIT']

const cargo = /^version = "(.*)"$/m.exec(readFileSync(join(home, '..', 'Cargo.toml'), 'utf8'))[1]
if (cargo !== manifest.version) throw new Error(`package.json says ${manifest.version}, Cargo.toml ${cargo}`)

function lay(name, content, files) {
  const to = join(folder, name)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  for (const licence of licences) cpSync(join(home, '..', licence), join(to, licence))
  for (const [from, file] of files) cpSync(from, join(to, file), { recursive: true })
  return to
}

function pack(from) {
  const out = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: from, encoding: 'utf8', shell: process.platform === 'win32' })
  return join(folder, out.trim().split('\n').at(-1))
}

const { version, license, repository } = manifest
const archives = []
for (const { name, os, cpu, libc, rust } of targets) {
  const file = `wireline.${name}.node`
  const binary = join(home, 'native', file)
  const there = existsSync(binary)
  const content = {
    name: packageOf(name),
    version,
    description: `The native part of wireline for ${rust}`,
    license,
    repository,
    os,
    cpu,
    ...(libc === undefined ? {} : { libc }),
    engines: manifest.engines,
    main: file,
    files: [file],
  }
  const readme = join(folder, `README-${name}.md`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(readme, `# ${packageOf(name)}\n\nThe native part of [wireline](https://www.npmjs.com/package/wireline) for \`${rust}\`. Install \`wireline\`, which asks for it.\n`)
  const laid = lay(`native-${name}`, content, [[readme, 'README.md'], ...(there ? [[binary, file]] : [])])
  rmSync(readme)
  if (there) archives.push(pack(laid))
}

const { devDependencies: _, scripts: __, ...shipped } = manifest
const main = lay(
  'wireline',
  { ...shipped, optionalDependencies: Object.fromEntries(targets.map(({ name }) => [packageOf(name), version])) },
  [...manifest.files, 'README.md'].map((file) => [join(home, file), file])
)
archives.unshift(pack(main))
console.log(archives.join('\n'))
