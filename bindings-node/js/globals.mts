// Types that are global where those of Node or of browsers are installed, and empty where neither is: so that ours need
// neither. They have no like in JavaScript.

declare global {
  interface AbortSignal {}
  interface Response {}
  interface URL {}
  interface ReadableStream<R = any> {}
  interface WritableStream<W = any> {}
  namespace WebAssembly {
    interface Module {}
  }
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** What cancels: an `AbortSignal`. */
export type Signal = AbortSignal
/** A place: a `URL`. */
export type Location = URL
/** An answer of HTTP: a `Response`. */
export type HttpResponse = Response
/** A stream of the Web that is read from: a `ReadableStream`. */
export type WebReadable<T> = ReadableStream<T>
/** A stream of the Web that is written to: a `WritableStream`. */
export type WebWritable<T> = WritableStream<T>
/** A compiled module: a `WebAssembly.Module`. */
export type WasmModule = WebAssembly.Module
