import { ArraySchema, denormalizeItems } from './Array.ts'
import { Collection, CollectionAdder } from './Collection.ts'
import type { Invalidate } from './Invalidate.ts'
import { denormalizeChoice } from './polymorphic.ts'
import type { IDenormalizeDelegate } from './Schema.ts'
import { Union } from './Union.ts'
import { denormalizeEntries, Values } from './Values.ts'

/** Reads what a schema of our own stands for. */
export function give(schema: object, input: any, delegate: IDenormalizeDelegate): unknown {
  if (schema instanceof Union) {
    return denormalizeChoice(schema, input, delegate)
  }
  if (schema instanceof Collection) {
    return give(schema.cacheWith, input, delegate)
  }
  if (schema instanceof CollectionAdder) {
    const isMap = takesMap(schema) && typeof input === 'object'
    const read = Array.isArray(input) ? denormalizeItems : isMap ? denormalizeEntries : denormalizeChoice
    return read(schema.collection.cacheWith.choice, input, delegate)
  }
  const read =
    schema instanceof Values ? denormalizeEntries : schema instanceof ArraySchema ? denormalizeItems : denormalizeChoice
  return read((schema as Invalidate).choice, input, delegate)
}

/** Entries come with their keys; only what moves comes as items in any case. */
export function takesMap({ collection, kind }: CollectionAdder): boolean {
  return collection.isMap && kind !== 'move'
}
