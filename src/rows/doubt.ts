// Why data is fetched again though its time is not over
//
// A row in doubt keeps its value and is fetched again. A doubt is one number and its cause: whatever was requested before the number is stale.

/**
 * The cause of a doubt. `explain` and the devtools show it with the request that brought it (`explain/doubtTexts.ts`).
 *
 * | cause                | what nobody but the server knows                                                                     |
 * | -------------------- | ---------------------------------------------------------------------------------------------------- |
 * | `unknown-argument`   | whether the record belongs to the list: an argument is no field of it, as of `?q=milk`                |
 * | `empty-list`         | what the arguments of the list mean: it shows no item that would tell                                 |
 * | `other-arguments`    | whether a remover concerns the list, which lacks one of the arguments that name it                    |
 * | `new-record`         | what the record was: it was not known before the write                                                |
 * | `was-in-doubt`       | what the record was: it was in doubt itself                                                           |
 * | `read-since`         | what the record was: a read has changed it since the list was requested, and lists follow no read     |
 * | `overtaken`          | what the record was: a read has brought the change before the response of the write                   |
 * | `sorted`             | where in the list the record stands now                                                               |
 * | `cut`, `more-pages`  | what else moves: the list is a part of a longer one                                                   |
 * | `unnamed`            | under which name the record joins a map                                                               |
 * | `other-path`         | whether the server adds the record to a list of another path                                          |
 * | `counted`            | whether a number beside the list counts the record                                                    |
 * | `unknown-items`      | what the items of a restored list are: no reader has told its Collection                              |
 * | `arrived-meanwhile`  | whether the list, which arrived while the write was in flight, has the change already                 |
 * | `crossed`            | which of two requests that crossed was done last                                                      |
 * | `former-life`        | whether fields from before a delete are still right                                                   |
 * | `lacks-own-write`    | whether a list that was requested before a write of the app lacks it                                  |
 * | `torn-pages`         | what stands between pages that do not fit together                                                    |
 * | `no-record`          | what a mutation did that returned no record                                                           |
 * | `no-outcome`         | whether a mutation that failed was done                                                               |
 * | `expired`            | whatever the app has marked as stale: `expireAll`, `invalidate`, `expires`                            |
 * | `collected`          | a record of the data, which the garbage collector has removed                                         |
 * | `restored`           | it was in doubt when it was stored                                                                    |
 */
export type Reason =
  | 'unknown-argument'
  | 'empty-list'
  | 'other-arguments'
  | 'new-record'
  | 'was-in-doubt'
  | 'read-since'
  | 'overtaken'
  | 'sorted'
  | 'cut'
  | 'more-pages'
  | 'unnamed'
  | 'other-path'
  | 'counted'
  | 'unknown-items'
  | 'arrived-meanwhile'
  | 'crossed'
  | 'former-life'
  | 'lacks-own-write'
  | 'torn-pages'
  | 'no-record'
  | 'no-outcome'
  | 'expired'
  | 'collected'
  | 'restored'

export interface Doubt {
  /** Data that was requested before this number of the store is stale. */
  readonly at: number
  readonly reason: Reason | undefined
  /** The key of the endpoint whose response brought it, if one did. */
  readonly by: string | undefined
  /** Of a list: the pages that it is about; `undefined`: the whole list. */
  readonly pages?: Pages | undefined
}

/** A doubt that a change brings. Its number is that of the commit, unless it has one. */
export type NewDoubt = Pick<Doubt, 'pages'> & { readonly reason: Reason; readonly at?: number | undefined }

/** Pages of a list, by their ids. */
export type Pages = readonly string[] | undefined

/** `undefined` is the whole list. */
export function allOf(a: Pages, b: Pages): Pages {
  return a && b && [...new Set([...a, ...b])]
}

export const NO_DOUBT: Doubt = { at: 0, reason: undefined, by: undefined }

export function laterDoubt(a: Doubt, b: Doubt): Doubt {
  return b.at > a.at ? b : a
}
