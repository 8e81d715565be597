import type { TabContext } from './Tab.ts'
import { link } from './dom.ts'
import { cutKey, readable } from './keys.ts'
import { findRow, titledLabel } from './storeFacts.ts'

/** A name that leads to its row. A record comes with its title, and a long URL is cut. */
export function rowLink({ controller, open }: TabContext, name: string): HTMLElement {
  const row = findRow(controller, name)
  const label = readable(name)
  return link(row ? titledLabel(row) : cutKey(label), () => open(name), label)
}
