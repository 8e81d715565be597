// The ETags of results, where `etag` and `persist`, which do not know each other, meet.

import { rowsOf } from '../reading/query.ts'
import type { Row } from '../rows/Row.ts'

/** With the data that readers saw then. */
const noted = /* @__PURE__ */ new WeakMap<Row, { readonly etag: string; readonly data: unknown }>()
const restored = /* @__PURE__ */ new WeakMap<Row, string>()

/** Remembers the ETag that data came with, to store it. */
export function noteEtag(result: Row, etag: string, data: unknown): void {
  noted.set(result, { etag, data })
}

/** The ETag of a result, if its data is the same as then. */
export function notedEtag(result: Row, data: unknown): string | undefined {
  const known = noted.get(result)
  return known?.data === data ? known?.etag : undefined
}

/** The result was stored with this ETag. */
export function restoreEtag(result: Row, etag: string): void {
  restored.set(result, etag)
}

/** The ETag of a result that was restored, if nothing of it has changed since; it is returned once. */
export function takeRestoredEtag(result: Row): string | undefined {
  const etag = restored.get(result)
  restored.delete(result)
  const isSame = result.node && rowsOf(result.node).every(({ metas }) => metas.every(({ at }) => at === 0))
  return isSame ? etag : undefined
}
