import { DEV } from '../base/env.ts'
import { callOf } from '../requests/Call.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { START, start, type StartOptions } from '../endpoint/start.ts'
import { createNetworkError } from '../rest/NetworkError.ts'
import { collapseFixture } from './collapseFixture.ts'
import { createFixtureMap } from './createFixtureMap.ts'
import type { FetchInterceptor, Fixture, Interceptor } from './Fixture.ts'

/**
 * The mocks that replace the network.
 *
 * @example
 * const props: MockProps<{ users: User[] }> = { fixtures, getInitialInterceptorData: () => ({ users: [] }) }
 * @see docs/api/MockResolver.md#mockprops
 */
export interface MockProps<T = any> {
  readonly fixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  /** `false` logs fetches without a mock, which go to the network. */
  readonly silenceMissing?: boolean | undefined
}

/** Mocked endpoints. */
export interface Mocks {
  /** The same endpoint, asking here first. */
  of<E extends EndpointInterface>(endpoint: E): E
  /** Uses these mocks from now on; the data of interceptors stays. */
  use(props: MockProps): void
}

export function createMocks(props: MockProps): Mocks {
  const data: unknown = props.getInitialInterceptorData?.()
  // One for each endpoint: the same endpoint always has the same mock.
  const mocks = new WeakMap<EndpointInterface, EndpointInterface>()
  let answers: ReadonlyMap<string, Fixture>
  let interceptors: readonly Interceptor[]
  let isSilent: boolean

  const use: Mocks['use'] = ({ fixtures, silenceMissing = true }) => {
    ;[answers, interceptors] = createFixtureMap(fixtures)
    isSilent = silenceMissing
  }

  const ask = (endpoint: EndpointInterface, args: readonly any[], options: StartOptions): Promise<unknown> => {
    const name = callOf(endpoint, args).name
    const key = endpoint.key(...args)
    const found = answers.get(name) ?? interceptors.find((interceptor) => interceptor.endpoint.testKey(key))
    if (!found) {
      if (DEV && !isSilent) {
        console.warn(`No fixture matches "${name}", so it is sent to the network.`)
      }
      return endpoint[START] ? endpoint[START](args as any, options) : endpoint(...args)
    }
    if ('fetchResponse' in found) {
      const fetchResponse = (input: RequestInfo, init: RequestInit): Promise<Response> =>
        late(found, args, options, async () => {
          const response = await respond(found, data, input, init)
          // A RestEndpoint finds that in its own `fetchResponse`; others look into the body first.
          if (!response.ok && 'parseResponse' in endpoint) {
            throw await createNetworkError(response, String(input), init.method)
          }
          return response
        })
      return (endpoint as any).extend({ fetchResponse })[START](args, options)
    }
    const fetch = (): Promise<unknown> =>
      late(found, args, options, () => {
        const { response, error } = collapseFixture(found, args, data)
        if (error) {
          throw response
        }
        return response
      })
    // Timeouts and signals end it as they would end the request.
    return start(Object.create(endpoint, { fetch: { value: fetch } }), args, options)
  }

  const of = <E extends EndpointInterface>(endpoint: E): E => {
    let mock = mocks.get(endpoint)
    if (!mock) {
      const begin = (args: readonly any[], options: StartOptions = {}): Promise<unknown> => ask(endpoint, args, options)
      mock = new Proxy<EndpointInterface>(endpoint, {
        get(target, name) {
          if (name === START) {
            return begin
          }
          const member: any = Reflect.get(target, name)
          // Polls are made by an endpoint that was extended.
          return member && name === 'extend' ? (options: object) => of(member.call(target, options)) : member
        },
        apply: (_target, _self, args) => begin(args),
      })
      mocks.set(endpoint, mock)
      mocks.set(mock, mock)
    }
    return mock as E
  }

  use(props)
  return { of, use }
}

/** Waits for the delay of a fixture. Its response is computed before the delay, or after it. */
async function late<R>(
  { delay, delayCollapse }: Fixture | Interceptor,
  args: readonly any[],
  { clock = globalThis }: StartOptions,
  run: () => R | Promise<R>,
): Promise<R> {
  const milliseconds = typeof delay === 'function' ? delay(...(args as [])) : delay
  if (!milliseconds) {
    return run()
  }
  const wait = new Promise<void>((done) => clock.setTimeout(done, milliseconds))
  if (delayCollapse) {
    return wait.then(run)
  }
  const early = new Promise<R>((done) => done(run()))
  early.catch(() => {})
  return wait.then(() => early)
}

async function respond(
  { fetchResponse }: FetchInterceptor,
  data: unknown,
  input: RequestInfo,
  init: RequestInit,
): Promise<Response> {
  const answer = await fetchResponse.call(data, input, init)
  if (answer instanceof Response) {
    return answer
  }
  if (answer === undefined) {
    return new Response(null, { status: 204 })
  }
  return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } })
}
