import { isObject, put } from '../base/equal.ts'
import type { Denormalize, Normalize } from './Denormalize.ts'
import { type Attribute, type Choice, choice, denormalizeChoice, normalizeChoice } from './polymorphic.ts'
import { INVALID, markOwn, type IDenormalizeDelegate, type INormalizeDelegate, type Visit } from './Schema.ts'

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
  declare readonly choice: Choice

  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    this.choice = choice(schema, attribute)
    markOwn(Values)
  }

  normalize(
    input: any,
    parent: any,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    return delegate.take(this, input, parent, key, args, visit)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return delegate.give(this, input)
  }

  queryKey(): undefined {
    return undefined
  }
}

/** Takes in a map. */
export function normalizeEntries(of: Choice, input: any, visit: Visit): unknown {
  return mapEntries(input, (value, name) => normalizeChoice(of, value, input, name, visit))
}

/** Reads a map back. */
export function denormalizeEntries(of: Choice, input: any, delegate: IDenormalizeDelegate): unknown {
  return mapEntries(input, (value) => denormalizeChoice(of, value, delegate))
}

/** What becomes of each entry; without a value, or with a deleted one, it is left out. */
function mapEntries(input: any, make: (value: unknown, name: string) => unknown): unknown {
  if (!isObject(input)) {
    return input
  }
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(input)) {
    const value = make(input[name], name)
    if (value != null && value !== INVALID) {
      put(out, name, value)
    }
  }
  return out
}
