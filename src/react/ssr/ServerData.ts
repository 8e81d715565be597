import { createElement, type ReactElement } from 'react'
import { serializeState } from '../../client/serialize.ts'
import { initialState, type State } from '../../store/State.ts'

/** Where the state stands in the page, unless another name is given. */
export const DEFAULT_ID = 'restitch-data'

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

/** The same JSON, without characters that mean something to a page: data cannot end its script and begin another. */
function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
