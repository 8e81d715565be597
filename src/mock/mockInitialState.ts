import { callOf } from '../requests/Call.ts'
import { Core } from '../controller/Core.ts'
import type { State } from '../store/stateShape.ts'
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
  const core = new Core()
  // A story may be opened at any time.
  Object.assign(core.store.defaults, { dataExpiryLength: Infinity, errorExpiryLength: Infinity })
  for (const { endpoint, args, response, error } of createFixtureMap(fixtures)[0].values()) {
    core.respond(callOf(endpoint, args), response, error)
  }
  return core.getState()
}
