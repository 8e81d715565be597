import { isObject } from '../base/equal.ts'
import { isEntity, isList, type ListSchema } from './Schema.ts'
import { topTablesOf } from './topTables.ts'

/**
 * The meaning of an argument of a list on the server.
 *
 * - `filter`: it is compared with the field of its name.
 * - `search`: it filters in a way that only the server knows, such as `?q=`.
 * - `order`: it sorts the list.
 * - `part`: it cuts a part out of the list.
 * - `shape`: it says how much of each record the response contains, and nothing about the list.
 *
 * @example
 * const kind: ArgumentKind = 'shape'
 * @see docs/api/Collection.md#argumentkinds
 */
export type ArgumentKind = 'filter' | 'search' | 'order' | 'part' | 'shape'

/**
 * The kinds of arguments of lists, by their names.
 *
 * @example
 * const argumentKinds: ArgumentKinds = { context: 'shape', q: 'search' }
 * @see docs/api/Collection.md#argumentkinds
 */
export interface ArgumentKinds {
  readonly [name: string]: ArgumentKind
}

// Whole names only: a name that is taken for one of these by mistake would leave records in a list that they have left.
const NAMES = [
  ['order', /^[_$]?(sort|sort_?by|sortorder|order|order_?by|ordering)$/i],
  ['part', /^[_$]?(page|per_?page|page_?size|limit|offset|skip|cursor)$/i],
  ['shape', /^[_$]?(fields|select|include|expand|embed|populate)$/i],
] as const

/** The kind of a name that nobody has declared; `undefined` if it is not known, or is a field of the items. */
export function kindByName(name: string, items?: unknown): ArgumentKind | undefined {
  const [kind] = NAMES.find(([, names]) => names.test(name)) ?? []
  return kind && !hasField(items, name) ? kind : undefined
}

/** True for an argument that may say which records belong to a list. */
export function mayFilter(kind: ArgumentKind | undefined): boolean {
  return kind === undefined || kind === 'filter' || kind === 'search'
}

/** Whether an Entity, or one of several, declares a field. */
function hasField(schema: any, name: string): boolean {
  if (isEntity(schema)) {
    const { defaults, schema: nested } = schema as { defaults?: unknown; schema?: unknown }
    return [defaults, nested].some((fields) => Object.hasOwn(Object(fields) as object, name))
  }
  return isObject(schema) && Object.values(schema).some((one) => isEntity(one) && hasField(one, name))
}

/** The kinds that endpoints declare for a Collection, by its options: a page of a list stands on it and has the same. */
const ofEndpoints = /* @__PURE__ */ new WeakMap<object, ArgumentKinds>()

/** Gives the Collections of an endpoint, or one that its response contains, the kinds that the endpoint declares. */
export function shareKinds(endpoint: unknown, list?: ListSchema): void {
  const { argumentKinds, schema } = Object(endpoint) as { argumentKinds?: ArgumentKinds; schema?: unknown }
  if (argumentKinds) {
    for (const one of list ? [list] : topTablesOf(schema).values()) {
      if (isList(one)) {
        ofEndpoints.set((one as { options?: object }).options ?? one, argumentKinds)
      }
    }
  }
}

/** The kind of a name that a Collection declares, or an endpoint that has it. */
export function declaredKind(
  options: { readonly argumentKinds?: ArgumentKinds | undefined },
  name: string,
): ArgumentKind | undefined {
  return [options.argumentKinds, ofEndpoints.get(options)].find((kinds) => kinds && Object.hasOwn(kinds, name))?.[name]
}
