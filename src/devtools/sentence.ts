import type { TabContext } from './Tab.ts'
import { readable } from './keys.ts'
import { rowLink } from './rowLink.ts'
import { findRow } from './storeFacts.ts'

/** A sentence of an explanation, in which the names of rows lead to them. */
export function sentence(context: TabContext, text: string): (Node | string)[] {
  const { controller } = context
  const parts: (Node | string)[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(namesIn([...controller.core.store.tables.tables.keys()]))) {
    const name = found.replace(/[.,:;)]+$/, '')
    if (index >= from && findRow(controller, name)) {
      parts.push(readable(text.slice(from, index)), rowLink(context, name))
      from = index + name.length
    }
  }
  return [...parts, readable(text.slice(from))].filter((part) => part !== '')
}

/** Keys, and the names of records and lists. */
function namesIn(tables: readonly string[]): RegExp {
  const keys = tables.map((key) => key.replace(/[^\w\s]/g, '\\$&'))
  const rows = keys.length > 0 ? `|(?:${keys.join('|')}) (?:\\{(?:[^{}"]|"(?:[^"\\\\]|\\\\.)*")*\\}|\\S+)` : ''
  return new RegExp(`\\b[A-Z]+ (?:https?://|/)\\S*${rows}`, 'g')
}
