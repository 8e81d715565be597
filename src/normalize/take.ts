import { DEV } from '../base/env.ts'
import { show } from '../base/show.ts'
import { type ArraySchema, normalizeItems } from '../schema/Array.ts'
import { Collection, CollectionAdder } from '../schema/Collection.ts'
import { type Entity, usablePk } from '../schema/Entity.ts'
import { takesMap } from '../schema/give.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { chosen, normalizeChoice } from '../schema/polymorphic.ts'
import { type INormalizeDelegate, isEntity, type Visit } from '../schema/Schema.ts'
import { Union } from '../schema/Union.ts'
import { normalizeEntries, Values } from '../schema/Values.ts'
import { refuse } from './refuse.ts'

/** Takes in what a schema of our own stands for. */
export function take(delegate: INormalizeDelegate, schema: object, ...given: Given): unknown {
  if (schema instanceof Collection) {
    return takeList(delegate, schema, ...given)
  }
  if (schema instanceof CollectionAdder) {
    return takeMembers(delegate, schema, ...given)
  }
  if (schema instanceof Invalidate) {
    return takeOut(delegate, schema, ...given)
  }
  const [input, parent, key, , visit] = given
  if (schema instanceof Union) {
    return normalizeChoice(schema, input, parent, key, visit)
  }
  const { choice } = schema as Values | ArraySchema
  return schema instanceof Values
    ? normalizeEntries(choice, input, visit)
    : normalizeItems(choice, input, parent, key, visit)
}

type Given = [input: any, parent: any, key: string | undefined, args: readonly any[], visit: Visit]

/** A whole list. */
function takeList(delegate: INormalizeDelegate, list: Collection, ...[input, parent, key, args, visit]: Given): string {
  if (typeof input === 'string') {
    return input
  }
  const reference = delegate.listReference(list, input)
  if (reference !== undefined) {
    return reference
  }
  if (typeof input !== 'object') {
    throw refuse(
      'list-wrong-kind',
      `${list.key} of ${key ?? 'answer'}`,
      DEV && `A list of "${list.key}" was expected${key ? ` in "${key}"` : ''}, found ${typeof input}.`,
    )
  }
  const nested = delegate.owner !== undefined
  const at = list.writeKey(parent, key, args, nested)
  return delegate.writeList(list, at, visit(list.cacheWith, input, parent, key), nested)
}

/** What joins or leaves lists. */
function takeMembers(
  delegate: INormalizeDelegate,
  adder: CollectionAdder,
  ...[input, parent, key, args, visit]: Given
): unknown {
  const { collection, kind, merge, filter } = adder
  const { cacheWith } = collection
  const item = cacheWith.choice
  const map = takesMap(adder) && !(adder.acceptsKey && isRecord(item.schema, input, parent, key, args))
  const one = (value: unknown): unknown => normalizeChoice(item, value, parent, key, visit)
  const run = (): any =>
    map ? visit(cacheWith, input, parent, key) : Array.isArray(input) ? input.map(one) : one(input)
  const items: any = adder.acceptsKey ? run() : delegate.create(run)
  const members = map || Array.isArray(items) ? items : [items]
  delegate.changeLists({ collection, kind, merge, filter, items: members, args, item })
  return items
}

/** What leaves a map may come as entries, or as a record. */
function isRecord(
  schema: unknown,
  input: unknown,
  ...rest: [parent: any, key: string | undefined, args: any]
): boolean {
  try {
    return isEntity(schema) && usablePk((schema as unknown as typeof Entity).pk(input, ...rest)) !== undefined
  } catch {
    return false
  }
}

/** What is to go: a list, a record, or a member of a union. */
function takeOut(
  delegate: INormalizeDelegate,
  { choice: { schema, attribute } }: Invalidate,
  ...[input, parent, key, args]: Given
): unknown {
  if (schema instanceof Collection) {
    return delegate.invalidateList(schema, schema.writeKey(parent, key, args, false))
  }
  const whole = typeof input === 'object'
  /** Takes the record out; `seek`: unless it is not there. */
  const remove = (Member: typeof Entity, seek?: boolean): string | undefined => {
    const pk = usablePk(whole ? Member.pk(Member.process(input, parent, key, args) ?? input, parent, key, args) : input)
    if (pk === undefined) {
      throw refuse(
        'invalidate-missing-pk',
        Member.key,
        DEV &&
          `Missing usable primary key: the answer does not say which "${Member.key}" to take out. It was ${show(input)}. Give the endpoint a process that returns its params: extend({ process: (_, params) => params }).`,
      )
    }
    if (seek && delegate.getEntity(Member.key, pk) === undefined) {
      return undefined
    }
    delegate.invalidate(Member, pk)
    return pk
  }
  if (attribute === undefined) {
    return remove(schema as typeof Entity)
  }
  const named = whole ? chosen(attribute, input, parent, key) : undefined
  const isNamed = named !== undefined && Object.hasOwn(schema as object, named)
  // Where only a key came back, the record is where it was stored.
  for (const name of isNamed ? [named] : Object.keys(schema as object)) {
    const id = remove(schema[name] as typeof Entity, !isNamed)
    if (id !== undefined) {
      return { id, schema: name }
    }
  }
  return input
}
