import { normalizeItems } from '../schema/Array.ts'
import { normalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { isEntity, isSchemaClass, type Visit } from '../schema/Schema.ts'
import type { StoreIntake } from '../lists/ListRow.ts'
import { createDelegate } from './delegate.ts'
import { raw } from '../rows/origin.ts'
import { Walk, writerOf } from './Walk.ts'

export function createWalk(intake: StoreIntake): Walk {
  const walk = new Walk(intake)
  const { args } = intake
  const visit: Visit = (schema, value, parent, key, place = -1) => {
    walk.places[walk.depth] = place
    walk.trail[walk.depth] = key
    walk.isItem = place >= 0
    if (value === null || value === undefined || schema === null) {
      return value
    }
    if (typeof schema === 'function') {
      return isEntity(schema) ? writerOf(schema).visit(walk, schema, value, parent, key) : raw(value)
    }
    if (typeof schema !== 'object') {
      return value
    }
    if (Array.isArray(schema)) {
      return normalizeItems(listChoice(schema), value, parent, key, visit)
    }
    if (isSchemaClass(schema)) {
      return schema.normalize(value, parent, key, args, visit, (walk.delegate ??= createDelegate(walk)))
    }
    return normalizeMembers(schema, value, visit)
  }
  ;(walk as { visit: Visit }).visit = visit
  return walk
}
