import type { Controller } from '../controller/Controller.ts'

/** Readers that mount from now on fetch what failed with this error, and whatever failed for readers that are gone. */
export function forgive({ core, expireAll }: Controller, error: unknown): void {
  for (const view of core.results.flatMap(({ views }) => views)) {
    if (view.failed?.error === error || !view.isRead) {
      view.failed = view.wait = undefined
    }
  }
  void expireAll({
    testKey: (key) => {
      const { meta, isRead } = core.result(key)
      return meta?.error !== undefined && (meta.error === error || !isRead)
    },
  })
}
