import { DEV } from '../base/env.ts'
import type { OutboxOptions } from './OutboxOptions.ts'

/** Tells the app of an error that nobody waits for. */
export function tell({ onError }: Pick<OutboxOptions, 'onError'>, error: Error): void {
  if (onError) {
    onError(error)
  } else if (DEV) {
    console.error(error)
  }
}
