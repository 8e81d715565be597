import { DEV } from '../base/env.ts'
import { shareKinds } from '../schema/argumentKinds.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { listPk } from '../lists/listKey.ts'
import { scalarTable } from '../schema/scalarTable.ts'
import { INVALID, type INormalizeDelegate, isEntity } from '../schema/Schema.ts'
import { unique } from '../lists/items.ts'
import { originOf } from './origin.ts'
import { sharedList, warnSharedList } from '../schema/refuse.ts'
import { receiveList, removals } from './receiveList.ts'
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
      const slot = (isEntity(schema) ? walk.info(schema).table : tables.records(schema.key)).slot(pk)
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
      const patch = walk.patch(tables.records(scalarTable(key)).slot(cell))
      patch.fields = { ...(patch.fields as object), ...values }
    },
    listReference: (collection, value) => {
      const slot = originOf(value)
      return slot && tables.tables.get(collection.key)?.slots.get(slot.pk) === slot ? slot.pk : undefined
    },
    writeList: (collection, at, items, nested) => {
      shareKinds(intake.endpoint, collection)
      const slot = tables.lists(collection.key).slot(listPk(collection, at))
      const { argsKey, nestKey } = (collection as ListClass).options
      const path = nested || argsKey ? undefined : intake.path
      const stored = slot.list?.path
      if (path !== undefined && stored !== undefined && path !== stored) {
        throw sharedList(collection.key, stored, path)
      }
      if (DEV && nested && !nestKey && slot.patch) {
        warnSharedList(collection.key, walk.where)
      }
      walk.patch(slot)
      ;(walk.replacedLists ??= new Set()).add(slot)
      const { owner } = walk
      const list: unknown = Array.isArray(items) && walk.isRepeated ? unique(items) : items
      walk.lists.push(() => {
        const page = receiveList(walk, { row: slot, collection, keyArgs: at, path, items: list, owner })
        if (!nested && !walk.topList) {
          walk.topList = slot
          walk.page = page
        }
      })
      return slot.pk
    },
    invalidateList: (collection, at) => {
      const slot = tables.lists(collection.key).slot(listPk(collection, at))
      const patch = walk.patch(slot)
      patch.value = INVALID
      patch.ask = meta.kind === 'mutation' && slot.doubt.at > meta.sent ? 'was-in-doubt' : undefined
      return slot.pk
    },
    changeLists(change) {
      ;(walk.listChanges ??= []).push(change)
      if (change.kind === 'remove') {
        removals.add(walk.intake.meta)
      }
    },
  }
}
