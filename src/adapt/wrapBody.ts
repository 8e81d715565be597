import { isPlain } from '../base/equal.ts'
import { classOf, envelopeOf } from '../schema/envelope.ts'
import { isEntity } from '../schema/Schema.ts'

/**
 * How the server wants the body of a request: `{ task: {…} }`, as Rails does, `{ data: {…} }`, or your own function.
 *
 * @example
 * const bodyEnvelope: BodyEnvelope = (body, name) => ({ type: name, payload: body })
 * @see docs/api/adaptEndpoint.md#bodyenvelope
 */
export type BodyEnvelope = 'data' | 'root' | ((body: any, name: string) => unknown)

/** Puts a plain body in its envelope. Forms, text, lists and bodies of endpoints without an Entity have no name for it. */
export function wrapBody(
  body: unknown,
  envelope: BodyEnvelope,
  schema: unknown,
  toServer: (name: string) => string,
): unknown {
  if (!isPlain(body) || Array.isArray(body)) {
    return body
  }
  const Class: unknown = classOf(envelopeOf(schema).schema)
  const name = isEntity(Class) ? toServer(Class.key.charAt(0).toLowerCase() + Class.key.slice(1)) : ''
  if (typeof envelope === 'function') {
    return envelope(body, name)
  }
  const root = envelope === 'root' ? name : 'data'
  return root ? { [root]: body } : body
}
