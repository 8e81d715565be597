import type { RowChange } from '../explain/rowChanges.ts'
import type { TabContext } from './Tab.ts'
import { breakable, h, tag } from './dom.ts'
import { rowLink } from './rowLink.ts'

const COLOURS = { added: 'good', updated: 'info', removed: 'bad' } as const

/** Rows with the fields that changed: before and after. */
export function changeTable(context: TabContext, changes: readonly RowChange[]): HTMLElement {
  const value = (text: string | undefined): HTMLElement =>
    h('td', { class: text === undefined ? 'dim' : 'mono' }, ...breakable(text ?? '–'))
  const column = (text: string): HTMLElement => h('th', { scope: 'col', text })
  return h(
    'table',
    { class: 'changes' },
    h('thead', {}, h('tr', {}, column('Field'), column('Before'), column('After'))),
    h(
      'tbody',
      {},
      ...changes.flatMap(({ name, kind, fields }) => [
        h(
          'tr',
          { class: 'changedRow' },
          h('th', { colspan: 3, scope: 'rowgroup' }, rowLink(context, name), ' ', tag(kind, COLOURS[kind])),
        ),
        ...fields.map(({ field, before, after }) =>
          h('tr', {}, h('th', { scope: 'row', text: field }), value(before), value(after)),
        ),
      ]),
    ),
  )
}
