import { createElement, type ReactElement } from 'react'
import { type StateScript, stateScript } from '../../binding/stateScript.ts'
import { initialState } from '../../store/initialState.ts'
import type { State } from '../../store/stateShape.ts'

/** The props of {@link ServerData}. */
export interface ServerDataProps {
  readonly data?: State | undefined
  readonly id?: string | undefined
  /** For pages whose Content-Security-Policy wants one at every script. */
  readonly nonce?: string | undefined
}

/**
 * A state as a part of the page, from which `getInitialData` reads it.
 *
 * @example
 * <ServerData data={controller.getState()} nonce={nonce} />
 * @see docs/api/ServerData.md
 */
export function ServerData({ data = initialState, id, nonce }: ServerDataProps): ReactElement {
  return createScript(stateScript(data, { id, nonce }))
}

/** A part of the page that holds JSON. */
export function createScript({ attributes, text }: StateScript): ReactElement {
  return createElement('script', {
    ...attributes,
    // The browser keeps the nonce to itself, and nobody renders the text a second time.
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: text },
  })
}
