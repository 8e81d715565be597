'use client'
import { createElement, type ReactElement, type ReactNode, useId, useRef } from 'react'
import { renderClock, renderRandom } from '../../base/clock.ts'
import { createStore, type Store } from '../../client/createStore.ts'
import type { Middleware } from '../../controller/Middleware.ts'
import { SET_RESPONSE } from '../../requests/actionTypes.ts'
import type { Manager } from '../../managers/Manager.ts'
import { NetworkManager } from '../../managers/NetworkManager.ts'
import { DataProvider, type ProviderProps } from '../DataProvider.ts'
import { createChunks, takeChunks } from '../../binding/chunks.ts'
import { createScript } from './ServerData.ts'
import { createServerStore, type ServerStoreOptions } from '../../binding/serverStore.ts'

/** The props of the provider for Next.js. */
export interface NextProviderProps
  extends
    Pick<ProviderProps, 'children' | 'managers' | 'Controller' | 'gcPolicy' | 'spread' | 'devButton'>,
    Pick<ServerStoreOptions, 'timeout'> {}

/** Makes a provider out of the hook by which a framework puts something into each part of the page that it sends. */
export function createNextProvider(
  useServerInsertedHTML: (insert: () => ReactNode) => void,
  isServer: boolean = typeof window === 'undefined',
): (props: NextProviderProps) => ReactElement {
  const open = (props: NextProviderProps, id: string): Opened => {
    const { Controller, gcPolicy, spread, timeout } = props
    if (isServer) {
      const { managers = [new NetworkManager()] } = props
      const { store } = createServerStore(
        { managers: [new PrerenderManager(), ...managers], Controller, timeout },
        { clock: renderClock, random: renderRandom },
      )
      const next = createChunks(store)
      const insert = (): ReactNode => {
        const script = next(id)
        return script && createScript(script)
      }
      return { store, insert }
    }
    const store = createStore({ managers: props.managers, Controller, gcPolicy, spread, start: false })
    takeChunks(store, id)
    return { store, insert: () => null }
  }

  return function NextDataProvider({ children, devButton, ...options }) {
    // The same on both sides, and another for each provider.
    const id = useId()
    // As in DataProvider: the store that React keeps has to be the last to bind the managers.
    const opened = useRef<Opened>(undefined)
    const { store, insert } = (opened.current ??= open(options, id))
    useServerInsertedHTML(insert)
    return createElement(DataProvider, { store, own: true, devButton }, children)
  }
}

interface Opened {
  readonly store: Store
  readonly insert: () => ReactNode
}

/** When Next.js has prerendered a page, it rejects the requests that are left. They have not failed: nothing of them belongs in the page. */
class PrerenderManager implements Manager {
  readonly middleware: Middleware = () => (next) => (action) =>
    action.type === SET_RESPONSE && Object(action.response).digest === 'HANGING_PROMISE_REJECTION'
      ? Promise.resolve()
      : next(action)
  cleanup(): void {}
}
