import { viewsOf } from '../views/viewsOf.ts'
import type { Controller } from '../controller/Controller.ts'

/** Readers that mount from now on fetch what failed with this error, and whatever failed for readers that are gone. */
export function forgive({ core, expireAll }: Controller, error: unknown): void {
  for (const view of core.results.flatMap(viewsOf)) {
    if (view.failed?.error === error || !view.isRead) {
      view.forgive()
    }
  }
  void expireAll({
    testKey: (key) => {
      const { meta, isRead } = core.result(key)
      return meta?.error !== undefined && (meta.error === error || !isRead)
    },
  })
}
