import type { TabContext } from './Tab.ts'
import { copyButton } from './copy.ts'
import { button, h } from './dom.ts'

/** Buttons that copy the explanation beside them as text, or log it with a value. */
export function explanationBar(context: TabContext, value: () => unknown): HTMLElement {
  const log = (event: Event): void => {
    // oxlint-disable-next-line no-console -- its purpose
    console.log(`${textBeside(event)}\n`, value())
    context.say('Logged to the console.')
  }
  return h('div', { class: 'bar' }, copyButton(context, 'Copy explanation', textBeside), button('Log to console', log))
}

/** The heading and the explanation of the details that a button is in, a line for each fact. */
function textBeside({ currentTarget }: Event): string {
  const details = (currentTarget as Element).closest('.details')!
  const lines = [...details.querySelectorAll('h3, .why .lead, .why dt, .why dd p')].map((element) => {
    const text = element.textContent.trim()
    return element.matches('dt') ? `${text}:` : element.matches('dd p') ? `  ${text}` : text
  })
  return lines.join('\n')
}
