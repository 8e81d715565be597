import { plainHeaders } from '../endpoint/transport.ts'

/**
 * A member that becomes a hook: anything that can be extended with a `requestInit`.
 *
 * @example
 * const isHookable = (member: unknown): member is HookableEndpointInterface => member instanceof RestEndpoint
 * @see docs/api/hookifyResource.md#hookableendpointinterface
 */
export interface HookableEndpointInterface {
  readonly requestInit?: RequestInit | undefined
  // Endpoints may have other options, too.
  extend(options: any): any
}

/**
 * A hook for each member of a resource that is an endpoint: `get` becomes `useGet`.
 *
 * @example
 * declare const hooks: HookResource<typeof UserResource>
 * const getUser = hooks.useGet()
 * @see docs/api/hookifyResource.md#hookresource
 */
export type HookResource<R extends object> = {
  [
    K in keyof R & string as [NonNullable<R[K]>] extends [never]
      ? never
      : NonNullable<R[K]> extends HookableEndpointInterface
        ? `use${Capitalize<K>}`
        : never
  ]: () => NonNullable<R[K]>
}

/** So many values of `useInit` are remembered: the users of one page, or of one server at a time. */
const MOST = 50

/**
 * Makes hooks of the members of a resource; their requests are sent with what `useInit()` returns during the render.
 *
 * @example
 * const User = hookifyResource(UserResource, () => ({ headers: { 'Access-Token': useContext(TokenContext) } }))
 * const user = useSuspense(User.useGet(), { id: 5 })
 * @see docs/api/hookifyResource.md
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => RequestInit | undefined,
): HookResource<R> {
  const hooks: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(resource) as [string, HookableEndpointInterface | undefined][]) {
    if (typeof member?.extend === 'function') {
      hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = createHook(member, useInit)
    }
  }
  return hooks as HookResource<R>
}

function createHook(member: HookableEndpointInterface, useInit: () => RequestInit | undefined): () => unknown {
  const made: { readonly marks: Map<string, unknown>; readonly endpoint: unknown }[] = []
  return function useEndpoint() {
    const init = useInit() ?? {}
    const headers = plainHeaders(init.headers)
    const marks = new Map<string, unknown>(Object.entries({ ...init, headers: undefined }))
    for (const name in headers) {
      marks.set(`headers.${name.toLowerCase()}`, headers[name])
    }
    const at = made.findIndex((one) => isSame(one.marks, marks))
    const base = member.requestInit
    const found =
      at < 0
        ? {
            marks,
            endpoint: member.extend({
              requestInit: { ...base, ...init, headers: plainHeaders(headers, plainHeaders(base?.headers)) },
            }),
          }
        : made.splice(at, 1)[0]!
    // Most recently used first; the least recently used one is dropped.
    made.unshift(found)
    made.length = Math.min(made.length, MOST)
    return found.endpoint
  }
}

function isSame(a: Map<string, unknown>, b: Map<string, unknown>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.has(name) && Object.is(b.get(name), value))
}
