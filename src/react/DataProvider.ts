'use client'
import { createElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { warnOfSharedStore } from '../advice/misuse.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { Arrivals, PromptSuspense } from './arrivals.ts'
import { BackupLoading } from './BackupLoading.ts'
import { ControllerContext } from './ControllerContext.ts'
import { DevButton, type DevToolsPosition } from './DevButton.ts'
import { serverStates } from '../binding/Reader.ts'

/** The options of a store, or a store. They count at the first render only. */
export interface ProviderProps extends Pick<StoreOptions, 'managers' | 'initialState' | 'Controller' | 'gcPolicy'> {
  readonly children?: ReactNode
  /** A store that was made outside; it is neither started nor stopped. */
  readonly store?: Store | undefined
  /** The store is started and stopped with the provider. */
  readonly own?: boolean | undefined
  /** Where the button of the developer tools stands; `null` for none. */
  readonly devButton?: DevToolsPosition | null | undefined
  /** @internal What is shown while something suspends that has no boundary of its own. */
  readonly fallback?: ReactNode
}

/**
 * Gives a store to all hooks inside.
 *
 * @example
 * createRoot(element).render(<DataProvider><App /></DataProvider>)
 * @see docs/api/DataProvider.md
 */
export function DataProvider(props: ProviderProps): ReactElement {
  const { children, devButton, fallback = createElement(BackupLoading) } = props
  // Not in the initializer of a state: Strict Mode calls that once more and drops the second store, which would have been
  // the last to bind the managers.
  const opened = useRef<Opened>(undefined)
  const { store, owns } = (opened.current ??= open(props))
  return createElement(
    ControllerContext.Provider,
    { value: store.controller },
    // It comes first, so that managers run before the effects of what is inside.
    owns && createElement(Run, { store }),
    createElement(Arrivals, { controller: store.controller }, createElement(PromptSuspense, { fallback }, children)),
    DEV && devButton !== null && createElement(DevButton, { position: devButton }),
  )
}

interface Opened {
  readonly store: Store
  readonly owns: boolean
}

function open({ store, own, managers, initialState, Controller, gcPolicy }: ProviderProps): Opened {
  const options = { managers, initialState, Controller, gcPolicy }
  if (store) {
    const name = DEV && Object.keys(options).find((one) => options[one as keyof typeof options] !== undefined)
    if (DEV && name) {
      throw fail(
        'provider-props',
        name,
        `<DataProvider> was given "store" and "${name}". A store has its own: give "${name}" to createStore().`,
      )
    }
    if (DEV) {
      warnOfSharedStore(store, 'createPersistedStore() of restitch/react/ssr')
    }
    return { store, owns: own === true }
  }
  if (DEV && typeof window === 'undefined') {
    warnOnce(
      'A DataProvider is rendered on a server. Data that its components fetch does not reach the page: use restitch/react/ssr or restitch/react/nextjs.',
    )
  }
  const made = createStore({ ...options, start: false })
  // It costs the rows of that time that have changed since, so it is kept only where a page may be taken over.
  if (initialState) {
    serverStates.set(made.controller, made.getState())
  }
  return { store: made, owns: true }
}

function Run({ store }: { readonly store: Store }): null {
  const [life] = useState({ isHere: false })
  useEffect(() => {
    life.isHere = true
    store.start()
    return () => {
      life.isHere = false
      // Effects of the children end first, and Strict Mode runs them again at once.
      store.controller.clock.setTimeout(() => {
        if (!life.isHere) {
          store.stop()
        }
      }, 0)
    }
  }, [store])
  return null
}
