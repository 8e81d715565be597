// The result of `getState()`. Public types stand here alone, so that they bring no internals along.

/** Times of a row, without the store's numbers: those mean nothing outside. */
export interface RowTimes {
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
}

/** Times of a result, with its error. */
export interface ResultTimes extends RowTimes {
  readonly error?: any
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
}

/** The committed store, as it was at one moment. It never changes. */
export interface State<_T = unknown> {
  readonly entities: { readonly [key: string]: { readonly [pk: string]: any } }
  readonly endpoints: { readonly [key: string]: any }
  readonly indexes: { readonly [key: string]: { readonly [field: string]: { readonly [value: string]: string } } }
  readonly meta: { readonly [key: string]: ResultTimes }
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: RowTimes } }
  readonly optimistic: readonly any[]
  readonly lastReset: number
}
