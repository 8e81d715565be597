import { normalizeItems } from '../schema/Array.ts'
import type { Denormalize, EntityClass, Normalize } from '../schema/Denormalize.ts'
import { type Attribute, type Choice, choice, members } from '../schema/polymorphic.ts'
import type { IDenormalizeDelegate, IQueryDelegate, Visit } from '../schema/Schema.ts'
import { Union } from './Union.ts'

/**
 * Every record of a kind that the store holds.
 *
 * @example
 * const openTodos = new Query(new All(Todo), todos => todos.filter(todo => !todo.done))
 * @see docs/api/All.md
 */
export class All<S = any> {
  declare readonly _out: Denormalize<S>[]
  declare readonly _in: S[]
  declare readonly _normal: Normalize<S>[]
  declare readonly _args: readonly unknown[]
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

  normalize(input: any, parent: any, key: string | undefined, _args: readonly any[], visit: Visit): unknown {
    return normalizeItems(this.choice, input, parent, key, visit)
  }

  denormalize(_input: any, delegate: IDenormalizeDelegate): unknown {
    const lists = members(this.choice).map((member) => delegate.all(member as EntityClass))
    return lists.length > 1 ? lists.flat() : lists[0]
  }

  queryKey(_args: readonly any[], _unvisit: unknown, delegate: IQueryDelegate): string | undefined {
    // Every member is looked up, so that the result follows the first record of any of them.
    return members(this.choice)
      .map((member) => delegate.hasEntities((member as EntityClass).key))
      .includes(true)
      ? ''
      : undefined
  }
}
