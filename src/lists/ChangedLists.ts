import { DEV } from '../base/env.ts'
import type { ListsOfChange } from '../rows/Change.ts'
import { INVALID } from '../rows/INVALID.ts'
import { shareKinds } from '../schema/argumentKinds.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { sharedList, warnSharedList } from '../schema/refuse.ts'
import type { ListChange, ListSchema } from '../schema/Schema.ts'
import type { ListPage } from './List.ts'
import type { WrittenList } from './ListRow.ts'
import { listPk } from './listKey.ts'
import type { ListRow, ListTable, StoreChange } from './ListRow.ts'
import { unique } from './items.ts'
import { receiveList, removals, shownResult } from './receiveList.ts'

/** The lists that a value brings, and the changes of lists that its schema names. */
export class ChangedLists implements ListsOfChange {
  top: ListRow | undefined = undefined
  page: ListPage | undefined = undefined
  /** Adders, removers and movers. */
  readonly changes: ListChange[] = []
  /** Lists that the value replaces. */
  readonly replaced: Set<ListRow> = new Set()
  /** Those that are still to be placed. */
  readonly waiting: (() => void)[] = []

  receive(): void {
    this.waiting.forEach((place) => place())
  }

  shownResult(result: unknown, stored: unknown): unknown {
    return this.top ? shownResult(this.top, this.page, result, stored) : result
  }
}

/** The lists of a change. */
function changedLists(change: StoreChange): ChangedLists {
  return (change.lists ??= new ChangedLists()) as ChangedLists
}

/** A list, or a page of it, stands in a value. Returns its key. */
export function writeList(change: StoreChange, { table, collection, keyArgs, items, ...of }: WrittenList): string {
  const { intake } = change
  shareKinds(intake.endpoint, collection)
  const row = table.row(listPk(collection, keyArgs))
  const { argsKey, nestKey } = (collection as ListClass).options
  const path = of.nested || argsKey ? undefined : intake.path
  const stored = row.list?.path
  if (path !== undefined && stored !== undefined && path !== stored) {
    throw sharedList(collection.key, stored, path)
  }
  if (DEV && of.nested && !nestKey && row.patch) {
    warnSharedList(collection.key, of.where())
  }
  change.patch(row)
  const lists = changedLists(change)
  lists.replaced.add(row)
  const list: unknown = Array.isArray(items) && of.isRepeated ? unique(items) : items
  lists.waiting.push(() => {
    const page = receiveList(change, { row, collection, keyArgs, path, items: list, owner: of.owner })
    if (!of.nested && !lists.top) {
      lists.top = row
      lists.page = page
    }
  })
  return row.pk
}

/** A list is gone. Returns its key. */
export function invalidateList(
  change: StoreChange,
  table: ListTable,
  collection: ListSchema,
  keyArgs: Record<string, any>,
): string {
  const { meta } = change.intake
  const row = table.row(listPk(collection, keyArgs))
  const patch = change.patch(row)
  patch.value = INVALID
  patch.doubt = meta.kind === 'mutation' && row.doubt.at > meta.sent ? { reason: 'was-in-doubt' } : undefined
  return row.pk
}

/** The schema adds to lists, removes from them or moves between them. */
export function changeLists(change: StoreChange, how: ListChange): void {
  changedLists(change).changes.push(how)
  if (how.kind === 'remove') {
    removals.add(change.intake.meta)
  }
}
