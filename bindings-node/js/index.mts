/**
 * Framing, checking and sessions of the Model Context Protocol, on a native core.
 *
 * @packageDocumentation
 */

export * from './web.mjs'
export { DecoderStream } from './node-streams.mjs'
