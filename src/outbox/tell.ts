import { DEV } from '../base/env.ts'
import type { OutboxOptions } from './OutboxOptions.ts'

/** Reports an error to the app that no caller receives. */
export function tell({ onError }: Pick<OutboxOptions, 'onError'>, error: Error): void {
  if (onError) {
    onError(error)
  } else if (DEV) {
    console.error(error)
  }
}
