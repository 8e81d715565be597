import { viewsOf } from '../views/viewsOf.ts'
import type { Controller } from '../controller/Controller.ts'

/**
 * Readers that wait for a key and are not mounted yet do not come any more: its request is aborted, unless a mounted reader or a caller
 * needs it. Nobody unmounts a component that has suspended, so this is the only way to learn that it is gone. Another one that has
 * suspended for the same key looks the same: it renders again, and sends the request again.
 */
export function forgetWaiting({ core }: Controller, key: string): void {
  const result = core.result(key)
  for (const view of viewsOf(result)) {
    view.forgetWaiting()
  }
  core.requests.release(result)
}
