'use client'
import { type ComponentType, type Context, createContext, useContext } from 'react'

/** The screen that a component is on, as React Navigation has it. */
export interface Navigation {
  isFocused(): boolean
  addListener(type: 'focus' | 'blur', listener: () => void): () => void
}

/**
 * The parts of React Native and React Navigation that are used; each may be left out.
 *
 * @example
 * import { DataProvider } from 'restitch/react/native'
 *
 * <DataProvider platform={{ AppState, InteractionManager, NavigationContext, Text }}><App /></DataProvider>
 * @see docs/api/FocusManager.md#platform
 */
export interface Platform {
  readonly AppState?:
    | { addEventListener(type: 'change', listener: (state: string) => void): { remove(): void } }
    | undefined
  readonly InteractionManager?: { runAfterInteractions(run: () => void): { cancel(): void } } | undefined
  readonly NavigationContext?: Context<any> | undefined
  readonly Text?: ComponentType<any> | undefined
}

export const PlatformContext: Context<Platform> = /* @__PURE__ */ createContext<Platform>({})

const NoNavigation: Context<Navigation | undefined> = /* @__PURE__ */ createContext<Navigation | undefined>(undefined)

/** The screen a component is on; none without React Navigation. */
export function useNavigation(): Navigation | undefined {
  return useContext<Navigation | undefined>(useContext(PlatformContext).NavigationContext ?? NoNavigation)
}
