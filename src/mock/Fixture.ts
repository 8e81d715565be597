import type { EndpointInterface, ResolveType } from '../endpoint/EndpointOptions.ts'
import type { SchemaInput } from '../schema/Denormalize.ts'

/** The response of a fixture: the resolved value of the endpoint, or the input of its schema. */
export type FixtureResponse<E extends EndpointInterface> =
  | ResolveType<E>
  | ([E['schema']] extends [null | undefined] ? never : SchemaInput<E['schema']>)

interface Timed {
  /** Milliseconds before the response arrives. */
  readonly delay?: number | undefined
  /** The response is made at the end of the delay, not at its beginning. */
  readonly delayCollapse?: boolean | undefined
}

/**
 * The response to a fetch with certain arguments.
 *
 * @example
 * const ann: SuccessFixture = { endpoint: getUser, args: [{ id: 5 }], response: { id: '5', name: 'Ann' } }
 * @see docs/api/Fixture.md
 */
export interface SuccessFixture<E extends EndpointInterface = EndpointInterface> extends Timed {
  readonly endpoint: E
  readonly args: readonly [...Parameters<E>]
  readonly response: FixtureResponse<E>
  readonly error?: false | undefined
}

/**
 * The failure of one question.
 *
 * @example
 * const gone: ErrorFixture = { endpoint: getUser, args: [{ id: 5 }], response: new Error('gone'), error: true }
 * @see docs/api/Fixture.md
 */
export interface ErrorFixture<E extends EndpointInterface = EndpointInterface> extends Timed {
  readonly endpoint: E
  readonly args: readonly [...Parameters<E>]
  /** The error. */
  readonly response: any
  readonly error: true
}

/**
 * The response, or the error, of a fetch with certain arguments.
 *
 * @example
 * const fixtures: Fixture[] = [{ endpoint: getUser, args: [{ id: 5 }], response: { id: '5', name: 'Ann' } }]
 * @see docs/api/Fixture.md
 */
export type Fixture<E extends EndpointInterface = EndpointInterface> = SuccessFixture<E> | ErrorFixture<E>

/** An endpoint that tells its own keys from those of others. */
export type TestableEndpoint = EndpointInterface & { testKey(key: string): boolean }

interface Intercepting<E extends TestableEndpoint> {
  readonly endpoint: E
  /** Milliseconds before the response arrives. */
  readonly delay?: number | ((...args: Parameters<E>) => number) | undefined
  /** The response is made at the end of the delay, not at its beginning. */
  readonly delayCollapse?: boolean | undefined
}

/**
 * Responds to every fetch of an endpoint. `this` is the data of the fake server.
 *
 * @example
 * const getUsers: ResponseInterceptor<{ users: User[] }> = {
 *   endpoint: UserResource.getList,
 *   response() { return this.users },
 * }
 * @see docs/api/Interceptor.md
 */
export interface ResponseInterceptor<T = any, E extends TestableEndpoint = TestableEndpoint> extends Intercepting<E> {
  response(this: T, ...args: Parameters<E>): FixtureResponse<E> | Promise<FixtureResponse<E>>
}

/**
 * Replaces the network for every request of an endpoint: with a Response, or with the content of its JSON body.
 *
 * @example
 * const failing: FetchInterceptor = { endpoint: getUser, fetchResponse: () => new Response('', { status: 503 }) }
 * @see docs/api/Interceptor.md
 */
export interface FetchInterceptor<T = any, E extends TestableEndpoint = TestableEndpoint> extends Intercepting<E> {
  fetchResponse(this: T, input: RequestInfo, init: RequestInit): unknown
}

/**
 * Responds to every fetch of an endpoint, whatever its arguments.
 *
 * @example
 * const interceptors: Interceptor[] = [{ endpoint: getUser, response: ({ id }) => ({ id, name: `User ${id}` }) }]
 * @see docs/api/Interceptor.md
 */
export type Interceptor<T = any, E extends TestableEndpoint = TestableEndpoint> =
  | ResponseInterceptor<T, E>
  | FetchInterceptor<T, E>
