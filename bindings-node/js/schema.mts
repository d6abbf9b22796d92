// Schemas of arguments: plain JSON Schema, or any validator with the Standard Schema interface.

import { invalidType, WirelineError } from './errors.mjs'
import type { JsonObject } from './message.mjs'

/** What Standard Schema 1 asks of a validator: zod, valibot, arktype and others have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

type Outcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] }

/** A schema for arguments: a validator, whose JSON Schema is asked of it, or JSON Schema that is only shown. */
export type ArgumentSchema = StandardSchema | JsonObject

/** What a tool's function gets for arguments of this schema. */
export type ArgumentsOf<S> = S extends StandardSchema<unknown, infer Output>
  ? Output
  : S extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
    ? Output
    : JsonObject

export function isStandard(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  const standard = (schema as Record<string, unknown>)['~standard'] as { validate?: unknown } | undefined
  return typeof standard?.validate === 'function'
}

/** Arguments of no particular kind. */
const ANY: JsonObject = { type: 'object' }

/**
 * The JSON Schema of a schema: it itself, or what the validator says it is.
 *
 * @throws {@link WirelineError} with `ERR_WIRELINE_BAD_SCHEMA` for a validator that cannot say it, which then needs
 * `inputSchema` beside it, and for what describes no object.
 */
export function jsonSchemaOf(schema: ArgumentSchema | undefined, side: 'input' | 'output', name: string): JsonObject {
  if (schema === undefined) return ANY
  let found: unknown = schema
  if (isStandard(schema)) {
    const able = schema as unknown as {
      '~standard': { jsonSchema?: Record<string, (options: { target: string }) => unknown> }
      toJSONSchema?: () => unknown
      toJsonSchema?: () => unknown
    }
    const convert = able['~standard'].jsonSchema?.[side]
    try {
      if (typeof convert === 'function') found = convert({ target: 'draft-2020-12' })
      else if (typeof able.toJSONSchema === 'function') found = able.toJSONSchema()
      else if (typeof able.toJsonSchema === 'function') found = able.toJsonSchema()
      else found = undefined
    } catch (cause) {
      throw new WirelineError('ERR_WIRELINE_BAD_SCHEMA', `the schema of ${name} has no form in JSON Schema: ${(cause as Error).message}`, { cause })
    }
    if (found === undefined) {
      throw new WirelineError(
        'ERR_WIRELINE_BAD_SCHEMA',
        `the validator of ${name} (${schema['~standard'].vendor}) does not say its JSON Schema: give it as \`${side}Schema\``
      )
    }
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found)) throw invalidType(`the schema of ${name}`, 'an object', found)
  const result = found as JsonObject
  if (result['type'] !== 'object') {
    throw new WirelineError('ERR_WIRELINE_BAD_SCHEMA', `the schema of ${name} must be that of an object (\`"type": "object"\`)`)
  }
  return result
}

/** Checks a value. What is wrong comes back as text. */
export async function validated(schema: ArgumentSchema | undefined, value: unknown): Promise<{ value: unknown } | { wrong: string }> {
  if (!isStandard(schema)) return { value }
  const outcome = await schema['~standard'].validate(value)
  if (outcome.issues === undefined) return { value: outcome.value }
  const wrong = outcome.issues.map(({ message, path }) => {
    const where = (path ?? []).map((it) => String(typeof it === 'object' ? it.key : it)).join('.')
    return where === '' ? message : `${where}: ${message}`
  })
  return { wrong: wrong.join('; ') }
}
