import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { GCInterface } from '../controller/GCInterface.ts'
import type { Manager } from '../managers/Manager.ts'
import type { Fixture, Interceptor } from '../mock/Fixture.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import { createMocks } from '../mock/mocks.ts'
import { withMocks } from '../mock/withMocks.ts'
import { withoutChance } from '../mock/withoutChance.ts'
import type { State } from '../store/stateShape.ts'

/** The content of a store for tests and stories, and how it responds. */
export interface MockStoreOptions<T = any> {
  /** Fixtures that are in the store from the start. */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /** Mocks for fetches. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  readonly managers?: readonly Manager[] | undefined
  /** The state to start with, instead of `initialFixtures`. */
  readonly initialState?: State | undefined
  readonly gcPolicy?: GCInterface | undefined
}

/**
 * A store with fixtures instead of the network, for tests and stories. Give it to the provider, and stop it afterwards.
 *
 * @example
 * const store = createMockStore({ resolverFixtures: fixtures })
 * @see docs/api/renderData.md#createmockstore
 */
export function createMockStore<T = any>(options: MockStoreOptions<T> = {}): Store {
  const { initialFixtures, resolverFixtures: fixtures, getInitialInterceptorData, gcPolicy } = options
  const { initialState = initialFixtures && mockInitialState(initialFixtures) } = options
  const { managers = getDefaultManagers({ devToolsManager: null }) } = options
  const store = createStore({ managers: [withoutChance, ...managers], initialState, gcPolicy })
  return { ...store, controller: withMocks(store.controller, createMocks({ fixtures, getInitialInterceptorData })) }
}
