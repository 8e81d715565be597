import { isObject, put } from '../base/equal.ts'
import type { Denormalize, Normalize } from '../schema/Denormalize.ts'
import {
  type Attribute,
  type Choice,
  choice,
  denormalizeChoice,
  members,
  normalizeChoice,
} from '../schema/polymorphic.ts'
import { INVALID, type IDenormalizeDelegate, type Visit } from '../schema/Schema.ts'
import { Union } from './Union.ts'

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
  readonly isMap: true = true
  declare readonly choice: Choice

  constructor(schema: S)
  constructor(schema: { readonly [name: string]: S }, attribute: Attribute)
  constructor(schema: any, attribute?: Attribute) {
    this.choice = choice(attribute === undefined ? schema : new Union(schema, attribute))
  }

  /** @internal */
  parts(): readonly unknown[] {
    return members(this.choice)
  }

  normalize(input: any, _parent: any, _key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return mapEntries(input, (value, name) => normalizeChoice(this.choice, value, input, name, visit))
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return mapEntries(input, (value) => denormalizeChoice(this.choice, value, delegate))
  }

  queryKey(): undefined {
    return undefined
  }
}

/** Maps each entry; one without a value, or with a deleted one, is left out. */
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
