import type { Row } from '../rows/Row.ts'
import type { EtagCall } from './etagEndpoint.ts'

type Reader = Pick<EtagCall, 'endpoint' | 'args'>

/** The reads that results came with, so that a record can be fetched again after a conflict. */
const readers = /* @__PURE__ */ new WeakMap<Row, Reader>()

export function rememberReader({ endpoint, args, controller }: EtagCall): void {
  readers.set(controller.core.store.tables.endpoints.row(endpoint.key(...args) as string), { endpoint, args })
}

/** The read of a URL. */
export function readerOf({ controller, url }: Pick<EtagCall, 'url' | 'controller'>): Reader | undefined {
  return readers.get(controller.core.store.tables.endpoints.byPk.get(`GET ${url}`)!)
}
