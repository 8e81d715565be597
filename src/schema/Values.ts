import { put } from '../base/equal.ts'
import type { Denormalize, Normalize } from './Denormalize.ts'
import { type Attribute, type Choice, choice, denormalizeChoice, normalizeChoice } from './polymorphic.ts'
import { INVALID, type IDenormalizeDelegate, type Visit } from './Schema.ts'

/**
 * An object with any keys whose values are all of one kind, or of several.
 *
 * @example
 * const rates = new Values(Rate)
 * @see docs/api/Values.md
 */
export class Values<S = any> {
  declare readonly _out: { [key: string]: Denormalize<S> }
  declare readonly _in: { [key: string]: S }
  declare readonly _normal: { [key: string]: Normalize<S> }
  readonly choice: Choice

  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    this.choice = choice(schema, attribute)
  }

  normalize(input: any, _parent: any, _key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return normalizeEntries(this.choice, input, visit)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeEntries(this.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}

/** Takes in a map; entries without a value are dropped. */
function normalizeEntries(of: Choice, input: any, visit: Visit): unknown {
  if (typeof input !== 'object' || input === null) return input
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(input as object)) {
    const value = normalizeChoice(of, input[name], input, name, visit)
    if (value !== undefined && value !== null) put(out, name, value)
  }
  return out
}

/** Reads a map back; what is missing or deleted is left out. */
export function denormalizeEntries(of: Choice, input: any, delegate: IDenormalizeDelegate): unknown {
  if (typeof input !== 'object' || input === null) return input
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(input as object)) {
    const value = denormalizeChoice(of, input[name], delegate)
    if (value !== undefined && value !== null && value !== INVALID) put(out, name, value)
  }
  return out
}
