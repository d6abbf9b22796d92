const assert = require('node:assert/strict')
const { Decoder, encodeResult } = require('wireline')

const [request] = new Decoder().push(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'))
assert.equal(request.method, 'ping')
assert.equal(Buffer.from(encodeResult(request, {})).toString(), '{"jsonrpc":"2.0","id":1,"result":{}}\n')
for (const part of ['client', 'server', 'mcp']) assert.equal(typeof require(`wireline/${part}`), 'object')
