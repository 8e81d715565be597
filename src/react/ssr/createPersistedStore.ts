'use client'
import { type ComponentType, createElement, type ReactElement, type ReactNode } from 'react'
import type { Store } from '../../client/createStore.ts'
import type { Controller } from '../../controller/Controller.ts'
import type { Manager } from '../../managers/Manager.ts'
import type { State } from '../../store/stateShape.ts'
import { DataProvider } from '../DataProvider.ts'
import { createServerStore, type ServerStoreOptions } from '../../binding/serverStore.ts'

/**
 * Makes a store for one request to the server: a provider for the app, a hook that waits until nothing is being
 * fetched any more and gives the state, the controller, and the store.
 *
 * @example
 * const [ServerDataProvider, useReadyCacheState] = createPersistedStore()
 * const ServerDataComponent = createServerDataComponent(useReadyCacheState)
 * @see docs/api/createPersistedStore.md
 */
export function createPersistedStore(
  managers?: readonly Manager[],
  _hasDevManager?: boolean,
  options: Pick<ServerStoreOptions, 'timeout' | 'signal' | 'Controller'> = {},
): [
  ServerDataProvider: ComponentType<{ readonly children?: ReactNode }>,
  useReadyCacheState: () => State,
  controller: Controller,
  store: Store,
] {
  const { store, rest } = createServerStore({ ...options, managers })
  const { controller } = store
  let ready: Promise<void> | undefined

  const useReadyCacheState = (): State => {
    if (rest.isOver()) {
      return store.getState()
    }
    // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
    throw (ready ??= rest.end().finally(() => {
      ready = undefined
    }))
  }

  // The same tree as the provider in the browser makes, which takes it over.
  const ServerDataProvider = ({ children }: { readonly children?: ReactNode }): ReactElement =>
    createElement(DataProvider, { store }, children)

  return [ServerDataProvider, useReadyCacheState, controller, store]
}
