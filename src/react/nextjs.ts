'use client'
// @ts-expect-error -- the app brings it along
import { useServerInsertedHTML } from 'next/navigation.js'
import type { ReactElement } from 'react'
import { createNextProvider, type NextProviderProps } from './ssr/createNextProvider.ts'

/**
 * Gives a store to all hooks inside, on the server and in the browser, which takes over what the server fetched.
 *
 * @example
 * // app/layout.tsx
 * <body><DataProvider>{children}</DataProvider></body>
 * @see docs/api/DataProvider.md
 */
export const DataProvider: (props: NextProviderProps) => ReactElement =
  /* @__PURE__ */ createNextProvider(useServerInsertedHTML)
export type { NextProviderProps as ProviderProps } from './ssr/createNextProvider.ts'
