import { createElement, type ReactElement } from 'react'
import { DEFAULT_ID, escapeJson } from '../../binding/initialData.ts'
import { serializeState } from '../../client/serialize.ts'
import { initialState } from '../../store/State.ts'
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
export function ServerData({ data = initialState, id = DEFAULT_ID, nonce }: ServerDataProps): ReactElement {
  return createData(serializeState(data), { id, nonce })
}

/** A part of the page that holds JSON. */
export function createData(json: string, props: object): ReactElement {
  return createElement('script', {
    type: 'application/json',
    ...props,
    // The browser keeps the nonce to itself, and nobody renders the text a second time.
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: escapeJson(json) },
  })
}
