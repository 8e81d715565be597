import type { TabContext } from './Tab.ts'
import { link } from './dom.ts'
import { cutKey, readable } from './keys.ts'
import { findSlot, titledLabel } from './storeFacts.ts'

/** A name that leads to its row. A record comes with its title, and a long URL is cut. */
export function rowLink({ controller, open }: TabContext, name: string): HTMLElement {
  const slot = findSlot(controller, name)
  const label = readable(name)
  return link(slot ? titledLabel(slot) : cutKey(label), () => open(name), label)
}
