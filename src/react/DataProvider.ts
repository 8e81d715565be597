'use client'
import { createElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { DEV } from '../base/env.ts'
import { checkStore, openStore, type ProviderOptions } from '../binding/openStore.ts'
import type { Store } from '../client/createStore.ts'
import { Arrivals, PromptSuspense } from './arrivals.ts'
import { BackupLoading } from './BackupLoading.ts'
import { ControllerContext } from './ControllerContext.ts'
import { DevButton, type DevToolsPosition } from './DevButton.ts'

/** The options of a store, or a store. They count at the first render only. */
export interface ProviderProps extends ProviderOptions {
  readonly children?: ReactNode
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

function open({ own, ...options }: ProviderProps): Opened {
  const { store } = options
  if (store) {
    checkStore(store, 'createPersistedStore() of restitch/react/ssr')
  }
  const names = { provider: '<DataProvider>', server: 'restitch/react/ssr or restitch/react/nextjs' }
  return { store: openStore(options, names), owns: !store || own === true }
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
