// What came out, in the form of the vectors' items.

const utf8 = new TextDecoder()

/** Each byte as one character. */
function text(bytes) {
  if (bytes === undefined) return undefined
  let all = ''
  for (let at = 0; at < bytes.length; at += 8192) all += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return all
}

const META = {
  'meta.progress-token': 'progressToken',
  'meta.protocol-version': 'protocolVersion',
  'meta.client-capabilities': 'clientCapabilities',
  'meta.log-level': 'logLevel',
  'meta.subscription-id': 'subscriptionId',
  'meta.request-id': 'requestId',
  'meta.progress': 'progress',
  'meta.result-type': 'resultType',
  'meta.supported': 'supported',
}

/** A value of a token as this package gives it: a bigint where a number would not be exact. */
function value(token) {
  const parsed = JSON.parse(token)
  return typeof parsed === 'number' && Number.isInteger(parsed) && !Number.isSafeInteger(parsed) && /^-?\d+$/.test(token)
    ? BigInt(token)
    : parsed
}

function place(batch) {
  return batch === undefined ? undefined : `${batch.index}${batch.last ? ' last' : ''}`
}

/** The text of a method as it stands in the message, which only its bytes show. */
function rawMethod(item) {
  const raw = utf8.decode(item.raw)
  const escaped = JSON.stringify(item.method)
  if (raw.includes(escaped)) return escaped
  // Escapes: found as the string token that means the same.
  for (const [token] of raw.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    if (JSON.parse(token) === item.method) return token
  }
  return escaped
}

/** What an item came to, with the fields that the expected one has to have. */
export function seen(item) {
  const fields = {}
  const put = (key, value) => {
    if (value !== undefined) fields[key] = value
  }
  if (item.kind === 'fault') {
    put('id', item.rawId)
    if (item.rawId === undefined) put('hint', item.rawIdHint)
    if (item.rawMethod !== undefined) put('method', `"${item.rawMethod}"`)
    put('limit', item.limit === undefined ? undefined : String(item.limit))
    put('batch', place(item.batch))
    const shape = Object.entries(item.shape).filter(([, there]) => there)
    return { fault: item.fault, offset: item.offset, length: item.length, fields, shape: shape.map(([name]) => name).join(' ') }
  }
  put('id', item.rawId)
  if (item.rawId?.includes('\\')) put('id-text', item.id)
  if (item.method !== undefined) {
    put('method', rawMethod(item))
    if (fields.method.includes('\\')) put('method-text', item.method)
  }
  put('params', text(item.rawParams))
  put('result', text(item.rawResult))
  if (item.kind === 'error') {
    // Other members pass, and are not the protocol's.
    const { code, message, data } = item.error
    put('error', data === undefined ? { code, message } : { code, message, data })
  }
  for (const [key, name] of Object.entries(META)) put(key, item.meta[name])
  const flags = []
  if (item.flags.bom) flags.push('bom')
  if (item.flags.nullParams) flags.push('null-params')
  put('flags', flags.length === 0 ? undefined : flags.join(' '))
  put('batch', place(item.batch))
  return { kind: item.kind, fields }
}

/** What a vector expects, in the same form. */
export function expected(item) {
  const fields = {}
  const error = {}
  for (const [key, bytes] of Object.entries(item.fields)) {
    if (key === 'shape') continue
    const utf8 = bytes.toString('utf8')
    if (key.startsWith('error.')) error[key.slice(6)] = JSON.parse(utf8)
    else if (META[key]) fields[key] = value(utf8)
    else if (['params', 'result'].includes(key)) fields[key] = text(bytes)
    else fields[key] = utf8
  }
  if (Object.keys(error).length > 0) fields.error = error
  if (item.fault === undefined) return { kind: item.kind, fields }
  const shape = item.fields.shape
  return {
    fault: item.fault,
    offset: item.offset,
    length: item.length,
    fields,
    shape: shape === undefined ? undefined : String(shape),
  }
}

/** Both, where the shape of one counts only if the vector tells it. */
export function compare(assert, items, vector, way) {
  const wanted = vector.items.map(expected)
  const got = items.map((item, at) => {
    const found = seen(item)
    if (found.fault !== undefined && wanted[at]?.shape === undefined) found.shape = undefined
    return found
  })
  assert.deepEqual(got, wanted, `${vector.name}, ${way}`)
}
