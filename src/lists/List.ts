// The state of a list besides its content.

import type { ListSchema } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'

/** A change of membership: the items that join a list, placed by `merge`; without it those that leave. */
export interface Edit {
  readonly items: any
  readonly merge: ((existing: any, incoming: any) => any) | undefined
  /** The rows of the records that join: they are kept as long as the list. */
  readonly rows?: readonly { kept: Meta | undefined }[]
}

/** A page, from its newest response. */
export interface ListPage {
  /** By what it is known: its arguments. */
  readonly id: string
  items: any
  /** When its response arrived. */
  readonly at?: number
  /** The number of the request that brought it, and of the one that brought it first: pages stand in that order. */
  readonly sent: number
  readonly firstSent: number
  readonly args?: readonly any[] | undefined
  readonly endpoint?: unknown
  /** The app has changed it since it arrived. */
  isEdited?: boolean | undefined
  /** It stands before the list itself. */
  readonly isBefore?: boolean | undefined
  /** The arguments of the page after it: as the response names them, and where the number of the page only counts up. */
  readonly next?: readonly any[] | undefined
  readonly guess?: readonly any[] | undefined
  /** The response said that nothing comes after it. */
  readonly isEnd?: boolean | undefined
  /** The arguments of the page before it; `undefined` at the start. */
  readonly previous?: readonly any[] | undefined
  /** The whole response that contains the list, for the members beside it. Set when all of it is normalised. */
  result?: unknown
}

/** The state of a list besides its content. */
export interface List {
  /** The arguments that tell it from other lists. */
  readonly keyArgs: Readonly<Record<string, any>>
  readonly name: string | undefined
  /** The Collection that its last response came with; not known of a restored list. */
  readonly collection?: ListSchema | undefined
  /** Arguments that do not simply filter by a field: some items have that field with another value. */
  readonly loose?: readonly string[] | undefined
  /** Arguments that its last response has proven to be fields: all items have them, with the same value. */
  readonly proven?: readonly string[] | undefined
  /** The path of the endpoint whose response it is; not of a nested list, nor where the app makes the key itself. */
  readonly path: string | undefined
  /** The result of `meaningOf`. */
  meaning?: Meaning | undefined
  readonly isMap: boolean
  /** In the order they are shown. */
  pages: readonly ListPage[]
  /** Items that the app appended, which no response contains yet. */
  tail: readonly unknown[]
  /** The numbers beside the list that count its items: their names, and in which row they stand, a result or a record. */
  readonly counted?: readonly [table: string, pk: string, ...names: string[]] | undefined
}

/** The arguments of a list, by what they mean. */
export interface Meaning {
  /** Those that may filter, and their values as text. */
  readonly filters: readonly (readonly [name: string, text: string])[]
  /** Of these, the ones that the app declares: those that filter by the field of their name, and those that do not. */
  readonly fields: ReadonlySet<string>
  readonly searches: ReadonlySet<string>
  /** The fields that the server sorts by, as far as an argument names them; `undefined` where none sorts or cuts, or the app tells the order. */
  readonly sortedBy: ReadonlySet<string> | undefined
  /** One of them sorts the list. */
  readonly isSorted: boolean
  /** One of them cuts a part out of a longer list. */
  readonly isCut: boolean
}
