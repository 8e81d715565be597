import { createDriver } from '../controller/driver.ts'
import type { State } from '../store/State.ts'
import { createFixtureMap } from './createFixtureMap.ts'
import type { Fixture } from './Fixture.ts'

/**
 * Creates a state that contains the responses of these fixtures. They do not expire unless their endpoint sets an expiry length.
 *
 * @example
 * <DataProvider initialState={mockInitialState([{ endpoint: getUser, args: [{ id: 5 }], response: ann }])}><App /></DataProvider>
 * @see docs/api/mockInitialState.md
 */
export function mockInitialState(fixtures: readonly Fixture[] = []): State {
  const driver = createDriver()
  // A story may be opened at any time.
  Object.assign(driver.store.defaults, { dataExpiryLength: Infinity, errorExpiryLength: Infinity })
  for (const { endpoint, args, response, error } of createFixtureMap(fixtures)[0].values()) {
    driver[error ? 'setError' : 'setResponse'](endpoint, args, response)
  }
  return driver.getState()
}
