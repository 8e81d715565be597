import { serializeState } from '../client/serialize.ts'
import type { State } from '../store/stateShape.ts'
import { DEFAULT_ID, escapeJson } from './initialData.ts'

/** How the state stands in a page. */
export interface StateScriptOptions {
  /** The id of the element; by default the one that `getInitialData()` looks for. */
  readonly id?: string | undefined
  /** For pages whose Content-Security-Policy wants one at every script. */
  readonly nonce?: string | undefined
}

/** A script element that holds a state. Its text cannot end the script. */
export interface StateScript {
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

export function stateScript(state: State, { id = DEFAULT_ID, nonce }: StateScriptOptions = {}): StateScript {
  const attributes = { type: 'application/json', id, ...(nonce !== undefined && { nonce }) }
  return { attributes, text: escapeJson(serializeState(state)) }
}

/** The same as HTML. */
export function renderState(state: State, options?: StateScriptOptions): string {
  const { attributes, text } = stateScript(state, options)
  const html = Object.entries(attributes).map(([name, value]) => ` ${name}="${value.replace(/"/g, '&quot;')}"`)
  return `<script${html.join('')}>${text}</script>`
}
