import type { Controller } from '../controller/Controller.ts'
import { createMocks, type MockProps } from './mocks.ts'

/**
 * Returns a Controller class whose fetches use fixtures; fetches without a fixture go to the network.
 *
 * @example
 * const store = createStore({ Controller: MockController(Controller, { fixtures }) })
 * @see docs/api/MockController.md
 */
export function MockController<C extends new (...args: any[]) => Controller>(Base: C, props: MockProps): C {
  return class extends Base {
    constructor(...args: any[]) {
      super(...args)
      const mocks = createMocks(props)
      const { requests } = this.core
      const fetch = requests.fetch.bind(requests)
      // All requests go through it.
      requests.fetch = (endpoint, given, auto) => fetch(mocks.of(endpoint), given, auto)
    }
  }
}
