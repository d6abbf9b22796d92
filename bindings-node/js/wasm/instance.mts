// Calls into an instance of the WebAssembly module: arguments into its memory, and results out of it.

import { allocate } from '../bytes.mjs'
import { WirelineError } from '../errors.mjs'

/** An export takes numbers and addresses, and returns a number or nothing. */
type Call = (...args: number[]) => number

/** What is passed by the address of a block in the module's memory; `undefined` is address 0. */
type Lent = Uint8Array | Uint32Array | Float64Array | string | readonly string[] | undefined

/** Bytes of a block before its first element. */
const HEAD = 8
/** Blocks are made in steps of this size. */
const STEP = 1 << 16
/** A larger block is given back after the call that needed it. */
const KEPT = 4 << 20
/** When the memory has grown, at most so much more is made ready. */
const AHEAD = 16 << 20

const encoder = new TextEncoder()

/** An upper bound of the bytes that a value takes as a block. */
function room(value: Lent): number {
  if (value === undefined) return 0
  if (typeof value === 'string') return HEAD + 3 * value.length + 8
  if (Array.isArray(value)) return value.reduce((sum: number, it: string) => sum + 4 + 3 * it.length, HEAD + 8)
  return HEAD + (value as Uint8Array).byteLength + 8
}

/** A block in the module's memory, that grows as calls need it. */
class Block {
  readonly #new: Call
  readonly #free: Call
  address = 0
  size = 0

  constructor(calls: Record<string, Call>) {
    this.#new = calls['block.new']!
    this.#free = calls['block.free']!
  }

  /** Makes it at least so large; what it held is lost then. */
  reserve(size: number): void {
    if (size <= this.size) return
    this.release()
    const rounded = Math.ceil(size / STEP) * STEP
    const address = rounded < 2 ** 32 ? this.#new(rounded) >>> 0 : 0
    if (address === 0) throw new WirelineError('ERR_WIRELINE_OUT_OF_MEMORY', `there is no memory for ${size} bytes`)
    this.address = address
    this.size = rounded
  }

  release(): void {
    if (this.size > 0) this.#free(this.address, this.size)
    this.address = this.size = 0
  }
}

/** An instance of the module: its exports, and what passes arguments and results. `src/wasm.rs` has the other side. */
export class Instance {
  readonly calls: Record<string, Call>
  readonly #memory: WebAssembly.Memory
  readonly #answer: number
  /** The arguments of a call. */
  readonly #arguments: Block
  /** The words that a call fills. */
  readonly #words: Block
  #bytes = new Uint8Array(0)
  #view = new Uint32Array(0)
  /** The chunk that is in the arguments' block, if only that is. */
  #chunk: Uint8Array | undefined
  #lost: { readonly cause: unknown } | undefined
  readonly #registry: FinalizationRegistry<{ free: Call; address: number }>

  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module, {})
    const calls = Object.entries(exports).filter(([, it]) => typeof it === 'function')
    this.calls = Object.fromEntries(calls.map(([name, it]) => [name, this.#guarded(it as Call)]))
    this.#memory = exports['memory'] as WebAssembly.Memory
    this.#answer = this.calls['answer.words']!() >>> 0
    this.#arguments = new Block(this.calls)
    this.#words = new Block(this.calls)
    this.#registry = new FinalizationRegistry(({ free, address }) => {
      try {
        free(address)
      } catch {
        // All of it is lost.
      }
    })
  }

  /** Whether it has given up: what is in its memory may be half done, and nothing of it is used any more. */
  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** An export that gives up, by a trap or for want of stack, takes all others with it. */
  #guarded(call: Call): Call {
    return (...args) => {
      if (this.#lost === undefined) {
        try {
          return call(...args)
        } catch (cause) {
          this.#lost = { cause }
        }
      }
      const { cause } = this.#lost
      throw new WirelineError(
        'ERR_WIRELINE_WASM_LOST',
        `the WebAssembly module has given up, most likely for want of memory (${String(cause)}), and what was made in it is lost: make it anew`,
        { cause }
      )
    }
  }

  /** The memory as it is now: when it grows, earlier views of it are void. */
  #refresh(): void {
    if (this.#bytes.buffer === this.#memory.buffer) return
    // By itself it grows by what is needed then, and each time costs the engine dear.
    this.calls['memory.reserve']!(Math.min(AHEAD, this.#memory.buffer.byteLength >>> 2))
    const { buffer } = this.#memory
    this.#bytes = new Uint8Array(buffer)
    this.#view = new Uint32Array(buffer)
  }

  /** What a constructor returned: the address of an object of the module, freed once `owner` is gone. */
  made(owner: object, className: string, result: number): number {
    const address = result >>> 0
    if (address === 0) this.fail()
    this.#registry.register(owner, { free: this.calls[`${className}.free`]!, address })
    return address
  }

  /** Copies arguments into the memory and returns their addresses. */
  lend(...values: readonly Lent[]): number[] {
    this.#chunk = undefined
    this.#arguments.reserve(values.reduce((sum: number, value) => sum + room(value), 0))
    this.#refresh()
    let at = this.#arguments.address
    return values.map((value) => {
      if (value === undefined) return 0
      const address = at
      at = Math.ceil(this.#put(value, address) / 8) * 8
      return address
    })
  }

  /** The same for a chunk, of which the rest may be asked for by the next call. */
  lendChunk(chunk: Uint8Array, again: boolean): number {
    const { address, size } = this.#arguments
    if (again && this.#chunk === chunk) return address
    if (HEAD + chunk.length > size) this.#arguments.reserve(HEAD + chunk.length)
    this.#refresh()
    this.#put(chunk, this.#arguments.address)
    this.#chunk = chunk
    return this.#arguments.address
  }

  /** Writes a block and returns where it ends. */
  #put(value: Exclude<Lent, undefined>, address: number): number {
    const begin = address + HEAD
    let count: number
    let end: number
    if (typeof value === 'string') {
      // Of memory beyond 2 GiB, an encoder takes no more than it has to.
      count = encoder.encodeInto(value, this.#bytes.subarray(begin, begin + 3 * value.length)).written
      end = begin + count
    } else if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength, length } = value as Uint8Array
      this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), begin)
      count = length
      end = begin + byteLength
    } else {
      end = begin
      const lengths = new DataView(this.#memory.buffer)
      for (const text of value as readonly string[]) {
        const { written } = encoder.encodeInto(text, this.#bytes.subarray(end + 4, end + 4 + 3 * text.length))
        lengths.setUint32(end, written, true)
        end += 4 + written
      }
      count = end - begin
    }
    this.#view[address >>> 2] = count
    return end
  }

  /** Room for words that a call fills. */
  words(words: Uint32Array): number {
    this.#words.reserve(HEAD + words.byteLength)
    this.#refresh()
    this.#view[this.#words.address >>> 2] = words.length
    return this.#words.address
  }

  /** Takes over the first words that a call has filled, unless it says that it has failed. */
  filled(words: Uint32Array, used: number): number {
    if (used < 0) {
      this.done()
      this.fail()
    }
    this.#refresh()
    const from = (this.#words.address + HEAD) >>> 2
    words.set(this.#view.subarray(from, from + used))
    this.done()
    return used
  }

  /** Gives back what only an unusually long argument needed. */
  done(): void {
    if (this.#arguments.size <= KEPT) return
    this.#chunk = undefined
    this.#arguments.release()
  }

  /** What a call answered. */
  answer(): Uint8Array {
    this.#refresh()
    const at = this.#answer >>> 2
    const from = this.#view[at]!
    const length = this.#view[at + 1]!
    const copy = allocate(length)
    copy.set(this.#bytes.subarray(from, from + length))
    if (length > KEPT) this.calls['answer.clear']!()
    return copy
  }

  /** Throws the error that a call answered with. */
  fail(): never {
    this.#refresh()
    const code = this.#view[(this.#answer >>> 2) + 2]!
    const text = this.answer()
    const decoder = new TextDecoder()
    throw new WirelineError(decoder.decode(text.subarray(0, code)), decoder.decode(text.subarray(code)))
  }

  /** The bytes that a call answered, if it was good. */
  result(status: number): Uint8Array {
    this.done()
    return status === 0 ? this.answer() : this.fail()
  }

  /** An array of numbers that a call answered. */
  numbers(Type: typeof Uint32Array | typeof Float64Array): number[] {
    const answer = this.answer()
    const aligned = new Uint8Array(answer)
    return Array.from(new Type(aligned.buffer))
  }

  /** An array of texts that a call answered. */
  texts(): string[] {
    const answer = this.answer()
    const view = new DataView(answer.buffer, answer.byteOffset, answer.length)
    const decoder = new TextDecoder()
    const texts: string[] = []
    for (let at = 0; at < answer.length; ) {
      const from = at + 4
      at = from + view.getUint32(at, true)
      texts.push(decoder.decode(answer.subarray(from, at)))
    }
    return texts
  }
}
