import type { AnyRow } from '../lists/ListRow.ts'
import { fieldsOf, writerOf } from '../explain/explainFields.ts'
import { rowFreshness } from '../explain/explainFreshness.ts'
import { explainList, explainLists } from '../explain/explainList.ts'
import { lastOf } from '../explain/explainRequest.ts'
import { ago } from '../explain/explainText.ts'
import { keptOf } from '../explain/keptOf.ts'
import { mountedOn, readersOf } from '../explain/readersOf.ts'
import { pendingOf } from '../explain/requestFacts.ts'
import { stampOf } from '../records/Stamps.ts'
import type { Row } from '../rows/Row.ts'
import type { TabContext } from './Tab.ts'
import { dataSection } from './dataSection.ts'
import { breakable, type Child, h, tag } from './dom.ts'
import type { RecordEditor } from './editRecord.ts'
import { readable } from './keys.ts'
import { expandRow } from './references.ts'
import { rowLink } from './rowLink.ts'
import { sentence } from './sentence.ts'
import { type RowFact, titledLabel } from './storeFacts.ts'
import type { Tree } from './tree.ts'
import { type Fact, fetchedBecause, shownBy, whyBox, writtenBy } from './why.ts'

const MOST_MEMBERS = 100

/** The selected record: why it is what it is and where, and its fields. */
export function recordDetails(context: TabContext, { row }: RowFact, tree: Tree, editor: RecordEditor): Node[] {
  const { controller, history, isPast } = context
  if (isPast) {
    return pastDetails(context, row, tree)
  }
  const now = controller.clock.now()
  const fields = fieldsOf(controller, history, row)
  const memberships = explainLists(controller, history, row).sort((a, b) => Number(b.isMember) - Number(a.isMember))
  const lists = memberships.map(({ list, isMember, why }) => {
    const where: Child[] = [
      tag(isMember ? 'in' : 'not in', isMember ? 'good' : 'plain'),
      ' ',
      rowLink(context, list),
      ': ',
    ]
    return where.concat(sentence(context, why))
  })
  return [
    h('h3', {}, ...breakable(titledLabel(row))),
    whyBox(
      context,
      rowFreshness(controller, history, row),
      [writtenBy(fields, now), ['Lists', lists], ...common(context, row)],
      () => expandRow(controller, row),
    ),
    ...dataSection(
      context,
      'Fields',
      row,
      tree,
      fields.length > 1 ? (name) => writerNote(context, row, name, now) : undefined,
      editor,
    ),
  ]
}

/** The selected list: why its members are in it, and others are not. */
export function listDetails(context: TabContext, { row }: RowFact, tree: Tree): Node[] {
  const { controller, history, isPast } = context
  if (isPast) {
    return pastDetails(context, row, tree)
  }
  const { members, absent, changes } = explainList(controller, history, row)
  const now = controller.clock.now()
  const item = ({ record, why }: { record: string; why: string }): HTMLElement =>
    h('li', {}, rowLink(context, record), ': ', ...sentence(context, why))
  const changed = changes.map(({ at, by, added, removed }) => {
    const what = [added.length > 0 && `added ${short(added)}`, removed.length > 0 && `removed ${short(removed)}`]
    return `${ago(now - at)}, ${by}: ${what.filter(Boolean).join(', ')}.`
  })
  return [
    h('h3', {}, ...breakable(titledLabel(row))),
    whyBox(context, rowFreshness(controller, history, row), [['Last changes', changed], ...common(context, row)], () =>
      expandRow(controller, row),
    ),
    h('h4', { text: `Why ${members.length === 1 ? 'its item is' : `its ${members.length} items are`} in it` }),
    h('ul', {}, ...members.slice(0, MOST_MEMBERS).map(item)),
    ...(absent.length > 0
      ? [
          h('h4', { text: `Why ${absent.length === 1 ? 'another is' : `${absent.length} others are`} not in it` }),
          h('ul', {}, ...absent.slice(0, MOST_MEMBERS).map(item)),
        ]
      : []),
    ...dataSection(context, 'Data', row, tree),
  ]
}

/** A row as it was: explanations are about now. */
function pastDetails(context: TabContext, row: Row, tree: Tree): Node[] {
  return [h('h3', {}, ...breakable(titledLabel(row))), ...dataSection(context, 'Data at that moment', row, tree)]
}

/** The facts that records and lists share. */
function common({ controller, history }: TabContext, row: Row): Fact[] {
  const now = controller.clock.now()
  const { meta } = row
  const last = meta && lastOf(history.notes(writerOf(history, meta)))
  return [
    ['Pending', pendingOf(controller, [row]).map(({ key, since }) => `${key}, sent ${ago(now - since)}.`)],
    fetchedBecause(last, now),
    shownBy(readersOf(mountedOn(row))),
    ['Kept because', keptOf(controller, history, row).why],
  ]
}

/** The writer of a field, beside it. */
function writerNote({ history }: TabContext, { by, pending = [] }: AnyRow, name: string, now: number): Child {
  const isPending = pending.some(
    ({ fields }) => typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name),
  )
  const meta = stampOf(by, name)
  const text = isPending ? 'pending' : meta && `${readable(writerOf(history, meta))}, ${ago(now - meta.date)}`
  return text && h('span', { class: 'dim writer', text })
}

function short(pks: readonly string[]): string {
  return pks.length > 5 ? `${pks.slice(0, 5).join(', ')} and ${pks.length - 5} more` : pks.join(', ')
}
