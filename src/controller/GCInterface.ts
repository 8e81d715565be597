import type { Controller } from './Controller.ts'

/** What a reader holds: a result, and the rows it was made from. */
export interface CountRefOptions {
  readonly key?: string | undefined
  readonly paths?: readonly { readonly key: string; readonly pk: string }[] | undefined
}

/** Gives a function that adds a reference, which gives the function that takes it back. */
export type CreateCountRef = (options: CountRefOptions) => () => () => void

/** Decides what may be forgotten, and when. */
export interface GCInterface {
  readonly createCountRef: CreateCountRef
  init(controller: Controller): void
  cleanup(): void
}
