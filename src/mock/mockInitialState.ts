import { createDriver } from '../controller/driver.ts'
import type { State } from '../store/picture.ts'
import { createFixtureMap } from './createFixtureMap.ts'
import type { Fixture } from './Fixture.ts'

/**
 * Makes a state in which these questions have been answered. Answers do not grow old unless their endpoint says so.
 *
 * @example
 * <DataProvider initialState={mockInitialState([{ endpoint: getUser, args: [{ id: 5 }], response: ann }])}><App /></DataProvider>
 * @see docs/api/mockInitialState.md
 */
export function mockInitialState(fixtures: readonly Fixture[] = []): State {
  const driver = createDriver()
  // A story is opened whenever somebody likes.
  Object.assign(driver.store.defaults, { dataExpiryLength: Infinity, errorExpiryLength: Infinity })
  for (const { endpoint, args, response, error } of createFixtureMap(fixtures)[0].values()) {
    driver[error ? 'setError' : 'setResponse'](endpoint, args, response)
  }
  return driver.getState()
}
