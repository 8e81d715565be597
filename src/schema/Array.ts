import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { refusal } from '../base/errors.ts'
import { show } from '../base/show.ts'
import type { Denormalize, Normalize } from './Denormalize.ts'
import { type Choice, choice, denormalizeChoice, members, normalizeChoice } from './polymorphic.ts'
import { INVALID, type IDenormalizeDelegate, type Visit } from './Schema.ts'

/** The schema of a list: `[User]` is short for `new ArraySchema(User)`. `MixedArray.ts` has the class for apps. */
export class ArraySchema<S = any> {
  declare readonly _out: Denormalize<S>[]
  declare readonly _in: S[]
  declare readonly _normal: Normalize<S>[]
  readonly isMap: false = false
  declare readonly choice: Choice

  constructor(schema: S) {
    this.choice = choice(schema)
  }

  /** @internal */
  parts(): readonly unknown[] {
    return members(this.choice)
  }

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return normalizeItems(this.choice, input, parent, key, visit)
  }

  denormalize(input: any, delegate: IDenormalizeDelegate): unknown {
    return denormalizeItems(this.choice, input, delegate)
  }

  queryKey(): undefined {
    return undefined
  }
}

/** Normalises a list. An object instead of a list is read as its values. */
export function normalizeItems(of: Choice, input: any, parent: any, key: string | undefined, visit: Visit): unknown {
  if (!isObject(input) || of.schema === undefined) {
    return input
  }
  const items: unknown[] = Array.isArray(input) ? input : Object.values(input)
  if (!Array.isArray(input) && items.length > 0 && !items.some(isObject)) {
    throw refusal(
      'list-wrong-kind',
      `a list of ${key ?? 'response'}`,
      DEV && `A list was expected${key ? ` in "${key}"` : ''}, found the object ${show(input)}.`,
    )
  }
  return items.map((item, place) => normalizeChoice(of, item, parent, key, visit, place))
}

/** Reads a list back; what is missing or deleted is left out. */
export function denormalizeItems(of: Choice, input: any, delegate: IDenormalizeDelegate): unknown {
  if (!Array.isArray(input) || of.schema === undefined) {
    return input
  }
  const out: unknown[] = []
  for (const item of input) {
    const value = denormalizeChoice(of, item, delegate)
    if (value !== undefined && value !== INVALID) {
      out.push(value)
    }
  }
  return out
}
