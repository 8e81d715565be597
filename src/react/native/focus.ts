'use client'
import { useContext, useEffect, useState } from 'react'
import { isSkip } from '../../requests/Reading.ts'
import type { EndpointInterface, ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { type DataOf, type HookArgs, keyOf, optionsOf, type ReadOptions } from '../../binding/args.ts'
import { viewOf } from '../../binding/Reader.ts'
import { useController } from '../hooks/useController.ts'
import { useDLEAll as useDLEAllAnywhere } from '../hooks/useDLEAll.ts'
import { useDLE as useDLEAnywhere } from '../hooks/useDLE.ts'
import { useFetch as useFetchAnywhere } from '../hooks/useFetch.ts'
import { useSubscription as useSubscriptionAnywhere } from '../hooks/useSubscription.ts'
import { useSuspenseAll as useSuspenseAllAnywhere } from '../hooks/useSuspenseAll.ts'
import { useSuspense as useSuspenseAnywhere } from '../hooks/useSuspense.ts'
import { PlatformContext, useNavigation } from './platform.ts'

// The hooks that look at the screen they are on. All others are those of the web.

export const useSuspense: typeof useSuspenseAnywhere = /* @__PURE__ */ withFocus(useSuspenseAnywhere)
export const useFetch: typeof useFetchAnywhere = /* @__PURE__ */ withFocus(useFetchAnywhere)
export const useDLE: typeof useDLEAnywhere = /* @__PURE__ */ withFocus(useDLEAnywhere)
export const useSuspenseAll: typeof useSuspenseAllAnywhere = /* @__PURE__ */ withFocusOfAll(useSuspenseAllAnywhere)
export const useDLEAll: typeof useDLEAllAnywhere = /* @__PURE__ */ withFocusOfAll(useDLEAllAnywhere)

/** Keeps an endpoint up to date while the component's screen is in front. */
export function useSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): void {
  const navigation = useNavigation()
  const [isBehind, setBehind] = useState(() => navigation?.isFocused() === false)
  useEffect(() => {
    const ends = [
      navigation?.addListener('focus', () => setBehind(false)),
      navigation?.addListener('blur', () => setBehind(true)),
    ]
    return () => {
      for (const end of ends) {
        end?.()
      }
    }
  }, [navigation])
  useSubscriptionAnywhere<EndpointInterface, readonly any[]>(endpoint, ...(isBehind ? [null] : args))
}

/** The data of an endpoint, kept up to date while the component's screen is in front. */
export function useLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): DataOf<E, A> {
  useSubscription(endpoint, ...args)
  return useSuspense<E, A>(endpoint, ...args)
}

/** The same hook; it refetches stale data when its screen, or the app, is focused again. */
function withFocus<H extends (endpoint: any, ...args: any) => unknown>(hook: H): H {
  return ((given: EndpointInterface | ReadOptions<ReadEndpoint>, ...args: readonly any[]) => {
    const { endpoint } = optionsOf(given)
    useRefetch([[endpoint, ...args]], endpoint, keyOf(endpoint, args))
    return hook(given, ...args)
  }) as H
}

function withFocusOfAll<H extends (reads: any) => unknown>(hook: H): H {
  return ((reads: readonly FocusRead[]) => {
    useRefetch(reads, JSON.stringify(reads.map(([endpoint, ...args]) => keyOf(endpoint, args))))
    return hook(reads)
  }) as H
}

type FocusRead = readonly [endpoint: EndpointInterface, ...args: any[]]

/** @param deps what tells the reads of two renders apart */
function useRefetch(reads: readonly FocusRead[], ...deps: readonly unknown[]): void {
  const controller = useController()
  const { AppState, InteractionManager } = useContext(PlatformContext)
  const navigation = useNavigation()
  useEffect(() => {
    const read = reads.filter(([, ...args]) => !isSkip(args))
    if (read.length === 0) {
      return undefined
    }
    let wasAway = false
    let waiting: { cancel(): void } | undefined
    // Subscribing fetches stale data.
    const judge = (): void => {
      for (const [endpoint, ...args] of read) {
        viewOf(controller, endpoint, args).subscribe(() => {})()
      }
    }
    const comeBack = (): void => {
      waiting?.cancel()
      waiting = InteractionManager?.runAfterInteractions(judge)
      if (!waiting) {
        judge()
      }
    }
    const ends = [
      navigation?.addListener('blur', () => {
        wasAway = true
      }),
      navigation?.addListener('focus', () => {
        if (wasAway) {
          comeBack()
        }
        wasAway = false
      }),
    ]
    const app = AppState?.addEventListener('change', (state) => {
      if (state === 'active' && navigation?.isFocused() !== false) {
        comeBack()
      }
    })
    return () => {
      for (const end of ends) {
        end?.()
      }
      app?.remove()
      waiting?.cancel()
    }
  }, [controller, navigation, AppState, InteractionManager, ...deps])
}
