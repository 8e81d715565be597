'use client'
import { createElement, type ReactElement, Suspense } from 'react'
import type { State } from '../../store/stateShape.ts'
import { ServerData, type ServerDataProps } from './ServerData.ts'

/**
 * Makes the component that writes the state into the page, once nothing is being fetched any more. It stands outside
 * of what the browser takes over.
 *
 * @example
 * const [, useReadyCacheState] = createPersistedStore()
 * const ServerDataComponent = createServerDataComponent(useReadyCacheState)
 * // <body><div id="root">{app}</div><ServerDataComponent nonce={nonce} /></body>
 * @see docs/api/createServerDataComponent.md
 */
export function createServerDataComponent(
  useReadyCacheState: () => State,
  id?: string,
): (props: Pick<ServerDataProps, 'nonce'>) => ReactElement {
  const Data = ({ nonce }: Pick<ServerDataProps, 'nonce'>): ReactElement =>
    createElement(ServerData, { data: useReadyCacheState(), id, nonce })
  // The rest of the page does not wait for it.
  return function ServerDataComponent(props) {
    return createElement(Suspense, { fallback: null }, createElement(Data, props))
  }
}
