/**
 * Transports for the official SDK (`@modelcontextprotocol/sdk` 1.x, `@modelcontextprotocol/server` and `client` 2.x): the
 * same names and the same constructors as its own, so that a program moves over by changing an import.
 *
 * What differs from them is listed in `docs/node.md`, and each difference has a test.
 *
 * @packageDocumentation
 */

export { StdioClientTransport, DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment, type StdioServerParameters } from './mcp-client.mjs'
export { StdioServerTransport, type StdioServerOptions } from './mcp-server.mjs'
