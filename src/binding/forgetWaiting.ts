import type { Controller } from '../controller/Controller.ts'

/**
 * Readers that wait for a key and are not mounted yet do not come any more: its request is aborted, unless another reader or caller needs it.
 * React never unmounts a component that has suspended before its first commit, so this is the only way to learn that it is gone.
 */
export function forgetWaiting({ core }: Controller, key: string): void {
  const result = core.result(key)
  for (const view of result.views) {
    view.wait = undefined
  }
  core.requests.release(result)
}
