import type { Row } from '../rows/Row.ts'
import type { TabContext } from './Tab.ts'
import { copyButton } from './copy.ts'
import { button, type Child, h } from './dom.ts'
import type { RecordEditor } from './editRecord.ts'
import { expandRow } from './references.ts'
import type { Tree } from './tree.ts'

/** The value of a row as a tree, with a button that copies it. */
export function dataSection(
  context: TabContext,
  title: string,
  row: Row,
  tree: Tree,
  note?: (name: string) => Child,
  editor?: RecordEditor,
): HTMLElement[] {
  const { table, value } = row
  const json = (): string => JSON.stringify(expandRow(context.controller, row), null, 2) ?? 'undefined'
  const canEdit =
    editor && table.entity !== undefined && typeof value === 'object' && value !== null && !editor.isOpen(row)
  const edit = canEdit && button('Edit', (event) => editor.open(row, event))
  return [
    h('div', { class: 'bar section' }, h('h4', { text: title }), copyButton(context, 'Copy as JSON', json), edit),
    editor?.isOpen(row)
      ? editor.element(row)
      : row.value === undefined && row.pending === undefined
        ? h('p', { class: 'empty', text: 'No data is stored.' })
        : tree.row(row, note),
  ]
}
