import type { ListSchema, Meta } from '../schema/Schema.ts'
import type { Contribution } from './log.ts'
import type { Slot, Table } from './tables.ts'

/** A change of membership: what joins a list, placed by `merge`; without it what leaves. */
export interface ListEntry extends Contribution {
  readonly items: any
  readonly merge: ((existing: any, incoming: any) => any) | undefined
}

/** A write that the response of a request still in flight may lack. */
export interface RecentWrite {
  readonly meta: Meta
  /**
   * Its changes of a list.
   *
   * @param itemsBefore the items of the list before the write
   */
  entriesFor(table: Table, list: Fitting, itemsBefore: () => unknown): MissedEntries
  /** True for a record that it may have changed in an unknown way. */
  mayChange?(record: Slot): boolean
}

/** `isUnsure`: the write may have changed the list in another way, too. */
export interface MissedEntries {
  readonly entries: readonly ListEntry[]
  readonly isUnsure: boolean
}

/** The facts that decide whether a record belongs to a list. */
export interface Fitting {
  /** The arguments that tell it from other lists. */
  readonly keyArgs: Readonly<Record<string, any>>
  readonly name: string | undefined
  /** The Collection that its last response came with; not known of a restored list. */
  readonly collection?: ListSchema | undefined
  /** Arguments that do not simply filter by a field: some items have that field with another value. */
  readonly loose?: readonly string[] | undefined
  /** The path of the endpoint whose response it is; not of a nested list, nor where the app makes the key itself. */
  readonly path: string | undefined
}

/** False where only its own responses, adders, removers and movers change a list (`autoUpdate: false`). */
export function followsWrites({ collection }: Fitting): boolean {
  return collection?.autoUpdate !== false
}

/**
 * The state of a list besides its content. A commit replaces it as a whole; only the members that are not `readonly` are set
 * later.
 */
export interface ListState extends Fitting {
  readonly isMap: boolean
  /** Keys of the endpoints that brought it. */
  readonly keys: readonly string[]

  // Its items, in the order they are shown: pages before the base, base, pages after it, tail; over them the log.

  /** The newest whole response, with all changes folded in that nothing can overtake any more. */
  readonly base: any
  readonly baseMeta: Meta
  /** Further pages, in the order they are shown; those before the base first. */
  readonly pages?: readonly ListPage[] | undefined
  /** Items that were appended and folded: they stand after the pages, also after those that come later. */
  readonly tail?: readonly unknown[] | undefined
  readonly log: readonly ListEntry[]
  /** The highest order of the folded changes: an older response lacks them and may not replace the list. */
  readonly compacted: number

  // The pages next to the base, according to its response.

  /** The arguments of the page after the base, as the response names them. */
  readonly next?: readonly any[] | undefined
  /** The same where the page number only counts up. */
  readonly guess?: readonly any[] | undefined
  /** The arguments of the page before the base. */
  readonly previous?: readonly any[] | undefined
  readonly isEnd?: boolean | undefined

  // Numbers beside the list, such as a `total`.

  /** The names of those that follow its changes. */
  readonly counts?: readonly string[] | undefined
  /** The response that contained those numbers, and the last number given out when it arrived. */
  countsMeta?: (Meta & { readonly reached: number }) | undefined

  // Why it is refetched.

  /** The number of the last invalidation: pages requested before it are removed. */
  readonly invalidatedAt?: number | undefined
  /** The order of the last write that may have changed it: a response to a request sent earlier leaves it stale. */
  staleAt?: number | undefined
  /** Records (`itemKey`) that a read showed not to fit, and whether the list held them: it is refetched once for each. */
  revealed?: ReadonlyMap<unknown, boolean> | undefined
}

/** A list after a change, and its content. `stale`: the change may leave it wrong, so it is refetched. */
export interface ListUpdate {
  readonly list: ListState
  readonly value: unknown
  readonly stale: boolean
}

/** One further page of a list, from its newest response. */
export interface ListPage {
  readonly id: string
  /** With what it was requested; not known of items that were left behind. */
  readonly args?: readonly any[]
  readonly endpoint?: unknown
  /** When it was first requested. */
  readonly firstSent: number
  readonly meta: Meta
  readonly items: any
  /** The whole response that contains the list, for the members beside it. Set when all of it is normalised. */
  result?: unknown
  /** The arguments of the page after it, as the response names them; at the end those of the page that used to follow. */
  readonly next?: readonly any[] | undefined
  /** The same where the page number only counts up. */
  readonly guess?: readonly any[] | undefined
  /** The response said that nothing comes after it. */
  readonly isEnd?: boolean | undefined
  /** It stands before the base. */
  readonly isBefore?: boolean | undefined
  /** The arguments of the page before it. */
  readonly previous?: readonly any[] | undefined
}

/** The `id` of the items that an older response of the list itself left behind: the page that they belong to is not known. */
export const LEFTOVER = ''

/** The meta of an empty base, which stands in while only pages are loaded: any response is newer. */
export function missingBase(meta: Meta): Meta {
  return { ...meta, sent: -1, order: -1 }
}

export function hasBase({ baseMeta }: ListState): boolean {
  return baseMeta.order >= 0
}

/** The pages before the base of a list, and those after it. */
export function sidesOf(pages: readonly ListPage[] = []): { before: ListPage[]; after: ListPage[] } {
  const before = pages.filter(({ isBefore }) => isBefore)
  return { before, after: pages.slice(before.length) }
}
