import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { listIn } from '../schema/listIn.ts'

/** The members of an endpoint that the extenders use. */
export interface Extensible {
  readonly name: string
  readonly schema?: unknown
  readonly movePath?: string
  readonly paginationField?: string
  extend(options: object): this
  paginated(cursor: string): unknown
}

/** The derived endpoints of each endpoint, so that reading a member twice returns the same object. */
const made = /* @__PURE__ */ new WeakMap<object, Map<unknown, unknown>>()

/** The result of `make` for this endpoint, computed on first use. */
export function once<E extends object, T>(endpoint: E, name: unknown, make: (endpoint: E) => T): T {
  return recall(
    recall(made, endpoint, () => new Map()),
    name,
    () => make(endpoint),
  ) as T
}

/** The Collection of an endpoint, which must have the requested member. */
export function findList(endpoint: Extensible, member: string, asked: string = member): Record<string, unknown> {
  const found = listIn(endpoint.schema)
  if (DEV && !found?.[member]) {
    throw fail(
      'endpoint-no-collection',
      `${asked} of ${endpoint.name}`,
      `"${asked}" of "${endpoint.name}" needs a Collection in its schema${found ? ` of another kind than "${found['key']}"` : ''}, as in new RestEndpoint({ path, schema: new Collection(${member === 'assign' ? 'new Values(User)' : '[User]'}) }).`,
    )
  }
  return found!
}
