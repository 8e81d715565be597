import {
  createEnvironmentInjector,
  DestroyRef,
  EnvironmentInjector,
  type EnvironmentProviders,
  inject,
  runInInjectionContext,
} from '@angular/core'
import { TestBed } from '@angular/core/testing'
import { createMockStore, type MockStoreOptions } from '../binding/createMockStore.ts'
import { settleRequests } from '../binding/settleRequests.ts'
import type { Controller } from '../controller/Controller.ts'
import { injectController } from './injectController.ts'
import { provideRestitch } from './provideRestitch.ts'

/** A function that runs where `inject()` may be called, with a store of its own. */
export interface RenderedData<R> {
  /** The value that the function has returned. */
  readonly result: R
  readonly controller: Controller
  /** Resolves with the outcomes of all requests, when nothing is being fetched any more and effects have run. */
  allSettled(): Promise<PromiseSettledResult<unknown>[]>
  /** Destroys it, and stops the store. */
  cleanup(): void
}

/**
 * Gives a store with fixtures instead of the network to the components of a test or a story. It stops with them.
 *
 * @example
 * import { TestBed } from '@angular/core/testing'
 * TestBed.configureTestingModule({ providers: [provideMockRestitch({ resolverFixtures: fixtures })] })
 * @see docs/api/renderData.md#providemockrestitch
 */
export function provideMockRestitch<T = any>(options: MockStoreOptions<T> = {}): EnvironmentProviders {
  return provideRestitch(() => {
    const store = createMockStore(options)
    inject(DestroyRef).onDestroy(() => store.controller.clock.setTimeout(store.stop, 0))
    return { store }
  })
}

/**
 * Runs a function that reads data where `inject()` may be called, with fixtures instead of the network. Its effects run as those of a component.
 *
 * @example
 * const { result, allSettled } = renderData(() => injectData(getUser, { id: 5 }), { resolverFixtures: fixtures })
 * await allSettled()
 * expect(result.data()?.name).toBe('Ann')
 * @see docs/api/renderData.md#angular
 */
export function renderData<R, T = any>(callback: () => R, options: MockStoreOptions<T> = {}): RenderedData<R> {
  const injector = createEnvironmentInjector([provideMockRestitch(options)], TestBed.inject(EnvironmentInjector))
  const [result, controller] = runInInjectionContext(injector, () => [callback(), injectController()] as const)
  TestBed.tick()
  return {
    result,
    controller,
    allSettled: () =>
      settleRequests(controller, async () => {
        TestBed.tick()
        await Promise.resolve()
      }),
    cleanup: () => injector.destroy(),
  }
}
