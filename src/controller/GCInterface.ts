import type { Controller } from './Controller.ts'

/** A result and rows that a reader holds. */
export interface CountRefOptions {
  readonly key?: string | undefined
  readonly paths?: readonly { readonly key: string; readonly pk: string }[] | undefined
}

/** Returns a function that adds a reference and returns the function that removes it. */
export type CreateCountRef = (options: CountRefOptions) => () => () => void

/** Decides which data is removed, and when. */
export interface GCInterface {
  readonly createCountRef: CreateCountRef
  init(controller: Controller): void
  cleanup(): void
}
