import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { listIn } from '../schema/listIn.ts'
import type { Resource, ResourceGenerics } from './resource.ts'
import type { Merge } from './RestArgs.ts'
import type { Own, Paged, RestInstance } from './RestInstance.ts'
import type {
  OwnMembers,
  PartialRestGenerics,
  RestExtendOptions,
  RefusedResults,
  RestMemberOptions,
  RestOptions,
} from './RestOptions.ts'

/**
 * The three forms of `extend()`. M is the resource that is extended, as it is at the call: an interface that replaces a
 * member, such as `extends Omit<Resource<O>, 'getList'>`, keeps it.
 *
 * @example
 * const withMe = (users: Resource<{ path: '/users/:id'; schema: typeof User }> & Extendable) => users.extend('me', { path: '/me' })
 * @see docs/api/resource.md#extendable
 */
export interface Extendable {
  /** Adds one member, made from `get`, or changes one. */
  extend<M, N extends string, X extends PartialRestGenerics = {}, P = ResultOf<Base<M, N>>, G = unknown>(
    this: M,
    name: N,
    options: RestExtendOptions<X, Merge<GenericsOf<Base<M, N>>, X>, P, OwnMembers, G>,
  ): ExtendedResource<
    M,
    { readonly [K in N]: RestInstance<Merge<GenericsOf<Base<M, N>>, X>, P> & Own<Base<M, N>> & Paged<G> }
  >
  /**
   * Changes several members, by their options; or, with a function, replaces members and adds some, with the others at hand. One
   * signature for both: with two, the compiler would forget in `() => ({ status: 'closed' })` that the text is a literal.
   */
  extend<M, T extends object = {}, X extends { readonly [K in keyof X]: any } = {}>(
    // Results are checked here and not in the options: what a function returns would depend on itself.
    this: M & ([MistakesIn<M, X>] extends [never] ? unknown : NotAResult<MistakesIn<M, X>>),
    members: ((base: M) => T) | MembersOptions<M, X> | Completed<M, X>,
    // Checked here and not as a constraint of T: a constraint would be expected of each call inside the function, at ten times the cost.
    ...refused: T[keyof T] extends EndpointLike ? [] : [everyMemberMustBeAnEndpoint: never]
  ): ExtendedResource<M, T & { readonly [K in keyof X]: ExtendedMember<BatchBase<M, X, K>, X[K]> }>
}

/**
 * A resource with members M, of which T are new; `create` follows a new `getList`.
 *
 * @example
 * type WithArchive = ExtendedResource<typeof Users, { archive: RestEndpoint<{ path: '/users/:id/archive'; method: 'POST' }> }>
 * @see docs/api/resource.md#extendedresource
 */
export type ExtendedResource<M, T> = Joined<M, T> & Extendable

/**
 * A resource as `resource()` makes it, with other members T.
 *
 * @example
 * type Users = CustomResource<{ path: '/users/:id'; schema: typeof User }, { get: GetEndpoint<{ path: '/people/:id' }> }>
 * @see docs/api/resource.md#customresource
 */
export type CustomResource<O extends ResourceGenerics, T> = ExtendedResource<Resource<O>, T>

/**
 * The member that `extend(name, options)` gives a resource.
 *
 * @example
 * type Archive = ResourceExtension<typeof Users, 'archive', { path: '/users/:id/archive'; method: 'POST' }>
 * @see docs/api/resource.md#resourceextension
 */
export type ResourceExtension<R, N extends string, X extends PartialRestGenerics> = ExtendedMember<Base<R, N>, X>

/**
 * The options that `extend({ member: options })` of a resource takes.
 *
 * @example
 * const slow: ResourceEndpointExtensions<typeof Users> = { getList: { timeout: 60_000 } }
 * @see docs/api/resource.md#resourceendpointextensions
 */
export type ResourceEndpointExtensions<R> = {
  readonly [K in MemberOf<R>]?: PartialRestGenerics & RestOptions
}

type Joined<M, T> = {
  readonly [K in MemberOf<M> | MemberOf<T>]: K extends keyof T
    ? T[K]
    : K extends 'create'
      ? 'getList' extends keyof T
        ? CreateOf<T['getList'], M['create' & keyof M]>
        : M[K & keyof M]
      : M[K & keyof M]
}

/** The endpoint that creates items of a list: its `push`, or the previous `create` if it has none. */
export type CreateOf<L, C> = L extends { readonly push: infer E extends (...args: never) => unknown } ? E : C

/** Nothing fits it: it names the members, so that editors complete them. */
type Completed<M, X> = { readonly [K in Exclude<MemberOf<M>, keyof X>]?: never } & { readonly [NOTHING]: never }
declare const NOTHING: unique symbol

type MembersOptions<M, X extends { readonly [K in keyof X]: any }> = {
  readonly [K in keyof X]: MemberOptions<M, K, X[K]>
}

type MistakesIn<M, X> = {
  [K in keyof X]: keyof X[K] & ('process' | 'getOptimisticResponse') extends never
    ? never
    : RefusedResults<X[K], Merge<GenericsOf<M[K & keyof M]>, X[K]>>
}[keyof X]

// One name for all of it: that is what messages show.
type MemberOptions<M, K, X extends PartialRestGenerics, _Hint = OwnMembers> = RestMemberOptions<
  X,
  Merge<GenericsOf<M[K & keyof M]>, X>,
  keyof X & (keyof PartialRestGenerics | 'getNextPage' | 'getOptimisticResponse')
> &
  Literals &
  (K extends MemberOf<M> ? unknown : NotAMember<K>)

/** Enough to tell an endpoint from anything else. */
interface EndpointLike {
  (...args: any): Promise<any>
  key(...args: any): string
}

/** Replaces options for a member that does not exist; the compiler shows its name. */
interface NotAMember<K> {
  readonly reason: K
}

/** Added to a resource whose new methods return something else than its schema; the compiler shows what. */
interface NotAResult<E> {
  readonly reason: E
}

type MemberOf<M> = Exclude<keyof M, 'extend'>

// By the empty text the compiler knows that the literal is wanted, not `string`.
interface Literals {
  readonly path?: '' | (string & {})
  readonly method?: '' | (string & {}) | undefined
  readonly paginationField?: '' | (string & {}) | undefined
  readonly movePath?: '' | (string & {}) | undefined
  // The same for the fields of a result: 'closed' is not any text.
  readonly getOptimisticResponse?:
    | ((...args: never) => { readonly [field: string]: '' | 0 | false } | {} | null | undefined)
    | undefined
}

/** The base of a member that is replaced in the same call: a new `create` comes from the new list. */
type BatchBase<M, X, K> = K extends 'create'
  ? 'getList' extends keyof X
    ? CreateOf<ExtendedMember<M['getList' & keyof M], X['getList']>, M[K & keyof M]>
    : M[K & keyof M]
  : M[K & keyof M]

type Base<M, N> = N extends MemberOf<M> ? M[N] : M['get' & keyof M]

type GenericsOf<E> = E extends { readonly _made?: readonly [infer O extends PartialRestGenerics, unknown] | undefined }
  ? O
  : any

type ResultOf<E> = E extends { readonly _made?: readonly [unknown, infer P] | undefined } ? P : unknown

type ExtendedMember<E, X> = E extends {
  readonly _made?: readonly [infer O extends PartialRestGenerics, infer P] | undefined
}
  ? RestInstance<
      // An optimistic response was inferred to be checked; it does not change the type.
      Merge<O, 'getOptimisticResponse' extends keyof X ? Omit<X, 'getOptimisticResponse'> : X>,
      'process' extends keyof X ? unknown : P
    > &
      Own<E> &
      ('getNextPage' extends keyof X ? Paged<X> : unknown)
  : E

// Members may be endpoints of any kind; the public types know which.
type Members = Record<string, any>

/**
 * Creates a resource from its members. `create` is derived from `getList`, and derived again when that is replaced, unless
 * another was set. `create` and `list`: the last derived `create`, and its list.
 */
export function bundle(title: string, given: Members, create?: unknown, list?: unknown): any {
  const members = { ...given }
  const { getList } = members
  if (members['create'] === create && getList !== list && hasPush(getList)) {
    list = getList
    members['create'] = create = getList.push.extend({ name: `${title}.create` })
  }
  const isMember = (name: string): boolean => Object.hasOwn(members, name) && name !== 'extend'
  const add = (more: Members): any => bundle(title, { ...members, ...more }, create, list)
  const extend = (what: any, options?: object): any => {
    if (typeof what === 'function') {
      return add(what(members) as Members)
    }
    if (typeof what === 'string') {
      const base = isMember(what) ? members[what] : members['get'].extend({ name: `${title}.${what}` })
      return add({ [what]: base.extend(options) })
    }
    const more: Members = {}
    for (const [name, change] of Object.entries(what as Members)) {
      if (DEV && !isMember(name)) {
        throw fail(
          'resource-no-member',
          `${name} of ${title}`,
          `extend(): '${name}' is not a member of this resource (${Object.keys(members).filter(isMember).join(', ')}). Add one with extend('${name}', options).`,
        )
      }
      // It comes last, since it may follow from the new list.
      if (name !== 'create') {
        more[name] = members[name].extend(change)
      }
    }
    return what.create ? add(more).extend('create', what.create) : add(more)
  }
  return Object.assign(members, { extend })
}

/** True for a list that has something to push to; reading `push` of another would throw. */
function hasPush(getList: any): boolean {
  return 'push' in getList && listIn(getList.schema)?.['push'] !== undefined
}
