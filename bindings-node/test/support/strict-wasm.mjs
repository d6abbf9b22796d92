// node --import: WebAssembly in place of the addon, where each call has to have as many arguments as the export takes.
// JavaScript would pass 0 for those that are missing.

process.env.WIRELINE_WASM = '1'

/** How often each export was called. */
export const called = new Map()
/** The exports of each instance, as they are. */
export const instances = []
/** Exports that return 0 from now on, as if they had failed. */
export const failing = new Set()
/** Exports that give up from now on, as where memory is wanted that is not there. */
export const trapping = new Set()

function strict(name, call) {
  return (...args) => {
    called.set(name, (called.get(name) ?? 0) + 1)
    const bad = args.findIndex((it) => typeof it !== 'number')
    if (failing.has(name)) return 0
    if (trapping.has(name)) throw new WebAssembly.RuntimeError('unreachable')
    if (args.length !== call.length || bad >= 0) throw new Error(`'${name}' takes ${call.length} numbers, and got ${args.map(String)}`)
    return call(...args)
  }
}

const { Instance } = WebAssembly
WebAssembly.Instance = class {
  constructor(module, imports) {
    const { exports } = new Instance(module, imports)
    instances.push(exports)
    this.exports = Object.fromEntries(
      Object.entries(exports).map(([name, it]) => [name, typeof it === 'function' ? strict(name, it) : it])
    )
  }
}
