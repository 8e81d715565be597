import type { Controller } from '../controller/Controller.ts'
import { isEndpoint } from '../requests/Reading.ts'
import type { Mocks } from './mocks.ts'

/** The same store through another Controller, whose fetches are mocked. */
export function withMocks(controller: Controller, { of }: Mocks): Controller {
  const { core, fetch, fetchIfStale, subscribe } = controller
  const { requests } = core
  const over = <T extends object>(base: T, own: Partial<T>): T => Object.assign(Object.create(base), own)
  return over(controller, {
    core: over(core, {
      requests: over(requests, { fetch: (endpoint, args, auto) => requests.fetch(of(endpoint), args, auto) }),
      view: (target, args) => core.view(isEndpoint(target) ? of(target) : target, args),
    }),
    fetch: (endpoint, ...args) => fetch(of(endpoint), ...args),
    fetchIfStale: (endpoint, ...args) => fetchIfStale(of(endpoint), ...args),
    subscribe: (endpoint, ...args) => subscribe(of(endpoint), ...args),
    dispatch: (action) => controller.dispatch(action.endpoint ? { ...action, endpoint: of(action.endpoint) } : action),
  })
}
