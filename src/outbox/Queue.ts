// The entries of a user, and the transactions that change them. Each leaves a state from which the next start goes on.
//
// | transaction | reads            | writes                                                                                   |
// | ----------- | ---------------- | ---------------------------------------------------------------------------------------- |
// | `add`       | entries, aliases | the entry, with the real ids of records that were created since then                       |
// | `begin`     | entries, aliases | the attempt, its claim and its request, before it is sent                                 |
// | `settle`    | entries          | the entry is gone; its rows, the aliases of its records, and what depends on them         |
// | `postpone`  | entries          | the claim is gone; when the next attempt is due                                           |
// | `park`      | entries          | the entry failed, or is a conflict, with all that depends on the records that it creates  |
// | `retry`     | entries          | it is pending again                                                                       |
// | `discard`   | entries          | it is gone, with all that depends on the records that it creates                          |

import type { DiskFound, DiskWrite, Durability } from '../disk/DiskStorage.ts'
import { standInsIn, withRealIds } from './aliases.ts'
import { ENTRY, type Entry, type EntryError, type EntryRequest, keyOf } from './Entry.ts'
import { isEntry } from './isEntry.ts'
import { concernsOneOf, dependentsOf, inOrder, isBlocked } from './order.ts'

/** The storage of a queue: `Disk`, and in tests a storage that stops at any moment. */
export interface QueueDisk {
  transact(
    keys: readonly string[],
    decide: (found: DiskFound) => Iterable<DiskWrite>,
    durability?: Durability,
  ): Promise<void>
}

/** An entry without what its transaction adds. */
export type NewEntry = Omit<Entry, 'order' | 'attempts' | 'state'>

/** The outcome of an attempt, beside its entry. */
export interface Settled {
  /** The ids of the records that it has created, by the temporary ones. */
  readonly aliases: ReadonlyMap<string, string>
  /** When it was sent, in wall time. */
  readonly at: number
  /** The rows that its response has changed. */
  readonly rows?: Iterable<DiskWrite>
  /** The ETag of its response: the version that the next entry of the record starts from. Without one that is sent without a condition. */
  readonly etag?: string | undefined
}

/** The beginning of the keys of real ids. */
const ALIAS = 'alias/'

/** Milliseconds in which one tab alone may send an entry, unless it says again that it is at it. */
export const CLAIM = 30_000

/** Milliseconds for which a real id is stored: screens and urls may have the temporary one. */
const ALIAS_LIFETIME = 30 * 86_400_000

export class Queue {
  /** The entries as of the last transaction, in their order. */
  entries: readonly Entry[] = []
  /** The ids of what is stored as an entry and is none: it stays as it is. */
  unreadable: readonly string[] = []
  /** The real ids, by the temporary ones. */
  readonly aliases: Map<string, string> = new Map()
  private readonly disk: QueueDisk
  private readonly tab: string

  constructor(disk: QueueDisk, tab: string) {
    this.disk = disk
    this.tab = tab
  }

  /** Reads the entries. */
  async load(): Promise<void> {
    await this.transact(() => [])
  }

  /** Saves a new entry. */
  async add(entry: NewEntry): Promise<void> {
    await this.transact((all, aliases) => {
      const order = Math.max(0, ...all.map((one) => one.order)) + 1
      return [put({ ...renamed(entry as Entry, aliases), order, attempts: 0, state: 'pending' })]
    })
  }

  /**
   * Saves that an attempt begins. Resolves to the entry with the request that is sent, the one of the first attempt;
   * `undefined` if the entry is gone, has to wait, or is sent by another tab.
   *
   * @param isDead whether the tab that claims the entry is known to be gone
   */
  async begin(
    id: string,
    request: EntryRequest,
    now: number,
    isDead: (tab: string) => boolean,
  ): Promise<Entry | undefined> {
    let begun: Entry | undefined
    await this.transact((all) => {
      const entry = all.find((one) => one.id === id)
      begun = undefined
      if (!entry || entry.state !== 'pending' || isBlocked(entry, all) || isClaimed(entry, this.tab, now, isDead)) {
        return []
      }
      begun = {
        ...entry,
        attempts: entry.attempts + 1,
        request: entry.request ?? request,
        unknownSince: entry.unknownSince ?? now,
        claim: { by: this.tab, until: now + CLAIM },
      }
      return [put(begun)]
    })
    return begun
  }

  /** Still sends it: the claim goes on. */
  async renew(id: string, now: number): Promise<void> {
    await this.own(id, (entry) => [put({ ...entry, claim: { by: this.tab, until: now + CLAIM } })])
  }

  /** The server has made the change. Resolves to false if another tab sends the entry by now, or has settled it. */
  async settle(id: string, { aliases, at, rows = [], etag }: Settled): Promise<boolean> {
    return this.own(id, (entry, all, found) => {
      const others = all.filter((one) => one.id !== id)
      const next = others.find((one) => one.order > entry.order && one.ifMatch && isOfSame(one, entry))
      const changed = others.flatMap((one) => {
        const isOvertaken =
          one.isOvertaken || (one.state !== 'pending' && one.order < entry.order && isOfSame(one, entry))
        const ifMatch = one === next ? etag : one.ifMatch
        const known = renamed(one, aliases)
        const isSame = known === one && ifMatch === one.ifMatch && isOvertaken === one.isOvertaken
        return isSame ? [] : [put({ ...known, ifMatch, isOvertaken })]
      })
      const given = [...aliases].map(([from, to]): DiskWrite => [ALIAS + from, [to, at]])
      const old = [...found].flatMap(([key, value]): DiskWrite[] =>
        key.startsWith(ALIAS) && isAlias(value) && value[1] < at - ALIAS_LIFETIME ? [[key, undefined]] : [],
      )
      return [[keyOf(entry), undefined], ...changed, ...old, ...given, ...rows]
    })
  }

  /** The outcome of the attempt is not known, or it was not made: the next one is due then. `isUnsent`: the server knows nothing of it. */
  async postpone(
    id: string,
    dueAt: number,
    error: EntryError | undefined,
    isUnsent: boolean,
    allowedAt: number = 0,
  ): Promise<void> {
    await this.own(id, ({ claim: _claim, ...entry }) => {
      const isFirst = isUnsent && entry.attempts <= 1
      return [
        put({
          ...entry,
          dueAt: Math.max(dueAt, allowedAt),
          allowedAt,
          error,
          ...(isFirst && { unknownSince: undefined, request: undefined, attempts: 0 }),
        }),
      ]
    })
  }

  /** The entry failed, or is a conflict; what depends on the records that it creates fails with it. */
  async park(
    id: string,
    state: 'failed' | 'conflict',
    more: Pick<Entry, 'error' | 'theirs' | 'ifMatch'>,
  ): Promise<void> {
    // The user has seen the version of the server: the merged one is made on that.
    const ifMatch = (entry: Entry): string | undefined =>
      more.theirs === undefined ? (more.ifMatch ?? entry.ifMatch) : more.ifMatch
    await this.own(id, ({ claim: _claim, ...entry }, all) => [
      put({ ...entry, ...more, ifMatch: ifMatch(entry), state }),
      ...(state === 'failed' ? dependentsOf(entry, all) : []).map((one) => put({ ...one, state, error: more.error })),
    ])
  }

  /** Makes an entry pending again, with other arguments if they are given. Entries that failed with it follow. */
  async retry(id: string, now: number, key: string, args?: readonly unknown[], ifMatch?: string): Promise<void> {
    await this.transact((all) => {
      const entry = all.find((one) => one.id === id)
      if (!entry || entry.state === 'pending') {
        return []
      }
      // A later change of the record has been made: this one would undo it.
      if (entry.isOvertaken && !args) {
        return [put({ ...entry, state: 'conflict' })]
      }
      const fresh = { state: 'pending', dueAt: now, attempts: 0, error: undefined, unknownSince: undefined } as const
      const own = { request: undefined, key, isOvertaken: undefined, theirs: undefined }
      const next = { ...entry, ...fresh, ...own, args: args ?? entry.args, ifMatch: ifMatch ?? entry.ifMatch }
      return [put(next), ...dependentsOf(entry, all).map((one) => put({ ...one, ...fresh }))]
    })
  }

  /** Removes an entry, and what depends on the records that it creates. One that is being sent stays. Resolves to those that are gone. */
  async discard(id: string, now: number, isDead: (tab: string) => boolean): Promise<readonly Pick<Entry, 'id'>[]> {
    let gone: readonly Pick<Entry, 'id'>[] = []
    await this.transact((all, _aliases, found) => {
      const entry = all.find((one) => one.id === id)
      const isSent = entry?.state === 'pending' && isClaimed(entry, '', now, isDead)
      const isUnreadable = !entry && found.has(keyOf({ id }))
      gone = isUnreadable ? [{ id }] : entry && !isSent ? [entry, ...dependentsOf(entry, all)] : []
      return gone.map((one): DiskWrite => [keyOf(one), undefined])
    })
    return gone
  }

  /** A transaction on an entry that this tab has claimed. Resolves to false if it has not. */
  private async own(
    id: string,
    change: (entry: Entry, all: readonly Entry[], found: DiskFound) => DiskWrite[],
  ): Promise<boolean> {
    let isOwn = false
    await this.transact((all, _aliases, found) => {
      const entry = all.find((one) => one.id === id)
      isOwn = entry?.claim?.by === this.tab
      return isOwn ? change(entry!, all, found) : []
    })
    return isOwn
  }

  /** Every transaction is strict: a write of the user survives a loss of power. */
  private async transact(
    change: (all: readonly Entry[], aliases: ReadonlyMap<string, string>, found: DiskFound) => DiskWrite[],
  ): Promise<void> {
    let after: Map<string, unknown> = new Map()
    await this.disk.transact(
      [ENTRY, ALIAS],
      (found) => {
        const writes = change(inOrder(found), aliasesOf(found), found)
        after = new Map(found)
        writes.forEach(([key, value]) => (value === undefined ? after.delete(key) : after.set(key, value)))
        return writes
      },
      'strict',
    )
    this.entries = inOrder(after)
    this.unreadable = [...after].flatMap(([key, value]) =>
      key.startsWith(ENTRY) && !isEntry(key, value) ? [key.slice(ENTRY.length)] : [],
    )
    aliasesOf(after).forEach((real, temporary) => this.aliases.set(temporary, real))
  }
}

/** The real ids that a disk has, by the temporary ones. */
function aliasesOf(found: DiskFound): Map<string, string> {
  return new Map(
    [...found].flatMap(([key, value]) =>
      key.startsWith(ALIAS) && isAlias(value) ? [[key.slice(ALIAS.length), value[0]]] : [],
    ),
  )
}

/** A real id, and when it was given. */
function isAlias(value: unknown): value is readonly [id: string, at: number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number'
}

function put(entry: Entry): DiskWrite {
  return [keyOf(entry), entry]
}

/** True where another tab is sending the entry. */
export function isClaimed(
  { claim }: Pick<Entry, 'claim'>,
  tab: string,
  now: number,
  isDead: (tab: string) => boolean,
): boolean {
  // A clock that was set back does not lock an entry up.
  const isOver = !claim || claim.until <= now || claim.until > now + 2 * CLAIM
  return !isOver && claim.by !== tab && !isDead(claim.by)
}

function isOfSame(one: Entry, other: Entry): boolean {
  return one.records.length > 0 && other.records.length > 0 && concernsOneOf(one, other.records)
}

/** An entry with real ids instead of temporary ones. Its request is made again: no attempt was sent with a temporary id. */
function renamed(entry: Entry, aliases: ReadonlyMap<string, string>): Entry {
  const args = withRealIds(entry.args, aliases)
  if (![...standInsIn(entry.args), ...entry.records].some((id) => aliases.has(id)) && args === entry.args) {
    return entry
  }
  const real = (name: string): string => {
    const pk = name.slice(name.lastIndexOf(' ') + 1)
    return aliases.has(pk) ? `${name.slice(0, name.length - pk.length)}${aliases.get(pk)}` : name
  }
  const shown = entry.shown.map(
    ([key, pk, fields]) => [key, aliases.get(pk) ?? pk, withRealIds(fields, aliases)] as const,
  )
  return { ...entry, args, records: entry.records.map(real), shown }
}
