import { DEV } from '../base/env.ts'
import { type Collection, listPk } from '../schema/Collection.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type INormalizeDelegate, isEntity } from '../schema/Schema.ts'
import { unique } from './listItems.ts'
import { originOf } from './origin.ts'
import { sharedList, warnSharedList } from '../advice/refuse.ts'
import { receiveList } from './receiveList.ts'
import type { Slot } from './tables.ts'
import type { Walk } from './Walk.ts'

/** The calls that schemas may make while a value is normalised. */
export function createDelegate(walk: Walk): INormalizeDelegate {
  const { intake } = walk
  const { tables, args, meta } = intake
  return {
    args,
    meta,
    get owner() {
      return walk.owner
    },
    mergeEntity: (schema, pk, incoming) => {
      const info = walk.info(schema)
      walk.gather(info, info.table.slot(pk), { ...incoming })
    },
    invalidate: (schema, pk) => {
      const slot = (isEntity(schema) ? walk.info(schema).table : tables.table(schema.key)).slot(pk)
      walk.noteWritten(slot)
      walk.patch(slot).fields = INVALID
    },
    getEntity: (key, pk) => {
      const slot = tables.tables.get(key)?.slots.get(pk)
      const value = slot && walk.below(slot)
      return value === INVALID ? undefined : value
    },
    create: (run) => {
      walk.creating++
      try {
        return run()
      } finally {
        walk.creating--
      }
    },
    writeScalar: (key, cell, values) => {
      const patch = walk.patch(tables.table(scalarTable(key)).slot(cell))
      patch.fields = { ...(patch.fields as object), ...values }
    },
    listReference: (collection, value) => {
      const slot = originOf(value)
      return slot && tables.tables.get(collection.key)?.slots.get(slot.pk) === slot ? slot.pk : undefined
    },
    writeList: (collection, at, items, nested) => {
      const slot = tables.table(collection.key).slot(listPk(collection, at))
      const path = nested || (collection as Collection).options.argsKey ? undefined : intake.path
      checkShared(walk, collection as Collection, slot, path, nested)
      walk.patch(slot)
      ;(walk.replacedLists ??= new Set()).add(slot)
      const { owner } = walk
      const list: unknown = Array.isArray(items) && walk.isRepeated ? unique(items) : items
      walk.lists.push(() => {
        const page = receiveList(walk, collection, slot, at, path, list, owner)
        if (!nested && !walk.topList) {
          walk.topList = slot
          walk.page = page
        }
      })
      return slot.pk
    },
    invalidateList: (collection, at) => {
      const slot = tables.table(collection.key).slot(listPk(collection, at))
      walk.patch(slot).fields = INVALID
      return slot.pk
    },
    changeLists: (change) => (walk.listChanges ??= []).push(change),
  }
}

/** Refuses a list that an endpoint of another path has stored, and warns of one that several records hold. */
function checkShared(
  walk: Walk,
  { key, options }: Collection,
  slot: Slot,
  path: string | undefined,
  nested: boolean,
): void {
  const stored = slot.list?.path
  if (path !== undefined && stored !== undefined && path !== stored) {
    throw sharedList(key, stored, path)
  }
  if (DEV && nested && !options.nestKey && slot.patch !== undefined) {
    warnSharedList(key, walk.where)
  }
}
