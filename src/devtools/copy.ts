import type { TabContext } from './Tab.ts'
import { button } from './dom.ts'

/** A button that copies a text. */
export function copyButton({ say }: TabContext, label: string, text: (event: Event) => string): HTMLElement {
  return button(label, (event: Event) => {
    const { ownerDocument } = event.currentTarget as HTMLElement
    void writeText(ownerDocument, text(event)).then(
      () => say('Copied.'),
      () => say('The browser does not allow this page to copy.'),
    )
  })
}

async function writeText(page: Document, text: string): Promise<void> {
  const { clipboard } = page.defaultView?.navigator ?? ({} as Partial<Navigator>)
  if (clipboard) {
    return clipboard.writeText(text)
  }
  // Pages without HTTPS have no clipboard.
  const field = page.createElement('textarea')
  field.value = text
  page.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated
  const isDone = page.execCommand('copy')
  field.remove()
  if (!isDone) {
    throw new Error('not copied')
  }
}
