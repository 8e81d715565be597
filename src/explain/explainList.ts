import { type AnyRow, listAt } from '../lists/ListRow.ts'
import type { Controller } from '../controller/Controller.ts'
import type { ListChange, ListFact, MemberFact, MembershipFact } from '../advice/Explanation.ts'
import { member } from '../base/equal.ts'
import { filterText, meaningOf } from '../lists/arguments.ts'
import { isLoose } from '../lists/membership.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import { ago } from './explainText.ts'
import type { History } from './history.ts'
import { pendingOf } from './requestFacts.ts'
import { asText, nameOf, pksOf } from './rowNames.ts'

export function explainList(controller: Controller, history: History, list: Row): ListFact {
  const records = new Map(recordsFor(controller, list).map((row) => [row.pk, row]))
  const shown = shownPks(list)
  const inside = new Set(shown)
  const fact = (pk: string, isMember: boolean): MemberFact => {
    const row = records.get(pk)
    return { record: row ? nameOf(row) : pk, pk, why: whyMember(controller, history, list, row, pk, isMember) }
  }
  return {
    name: nameOf(list),
    args: { ...listAt(list)?.keyArgs },
    members: shown.map((pk) => fact(pk, true)),
    absent: [...records.keys()].filter((pk) => !inside.has(pk)).map((pk) => fact(pk, false)),
    changes: history.changes(nameOf(list)).toReversed(),
  }
}

/** Of a record: which lists contain it, and why the others do not. */
export function explainLists(controller: Controller, history: History, record: Row): MembershipFact[] {
  return listsFor(controller, record).map((list) => {
    const isMember = shownPks(list).includes(record.pk)
    return {
      list: nameOf(list),
      isMember,
      why: whyMember(controller, history, list, record, record.pk, isMember),
    }
  })
}

function whyMember(
  controller: Controller,
  history: History,
  list: Row,
  record: Row | undefined,
  pk: string,
  isMember: boolean,
): string {
  const now = controller.clock.now()
  const isCommitted = committedPks(list).includes(pk)
  if (isMember !== isCommitted) {
    const by = pendingOf(controller, [list])
      .map(({ key }) => key)
      .join(', ')
    return `${isMember ? 'Added' : 'Removed'} by a pending operation: ${by}.`
  }
  const change = history
    .changes(nameOf(list))
    .findLast(({ added, removed }) => (isMember ? added : removed).includes(pk))
  const row = record && top(record)
  if (row === INVALID) {
    return 'It was deleted.'
  }
  const reasons = misfits(list, row)
  const past = change ? changeText(change, isMember, ago(now - change.at)) : undefined
  if (isMember) {
    const odd = reasons?.length ? ` ${reasons.join(' ')} The response of the server counts more than its fields.` : ''
    return `${past ?? 'A response contained it.'}${odd}`
  }
  if (reasons?.length) {
    return [...reasons, past].filter(Boolean).join(' ')
  }
  if (past) {
    return past
  }
  return reasons
    ? 'Its fields match the arguments, but no response contained it. Only a write to the record, or a refetch, adds it.'
    : 'No response contained it, and its fields cannot tell whether it belongs here.'
}

function changeText({ by, isRead }: ListChange, isMember: boolean, when: string): string {
  if (isRead) {
    return `${by} ${isMember ? 'contained it' : 'no longer contained it'} ${when}.`
  }
  return `${by} ${isMember ? 'added' : 'removed'} it ${when}.`
}

/** The arguments by which a list filters that a record does not match, each as a sentence. */
function misfits({ list }: AnyRow, row: unknown): string[] | undefined {
  if (list === undefined || typeof row !== 'object' || row === null) {
    return undefined
  }
  const { keyArgs, collection } = list
  if (collection?.ownFilter) {
    try {
      return collection.createCollectionFilter(row as any, row as any)(keyArgs)
        ? []
        : ["The list's own filter rejects it."]
    } catch {
      return undefined
    }
  }
  const out: string[] = []
  for (const [name, text] of meaningOf(list).filters.filter(([one]) => !isLoose(list, one))) {
    const wanted = keyArgs[name]
    const value = member(row, name)
    if (value === undefined) {
      out.push(`The list wants \`${name}\` to be ${asText(wanted)}; the record has no \`${name}\`.`)
    } else if (filterText(value) !== text) {
      out.push(`Its \`${name}\` is ${asText(value)}; the list wants ${asText(wanted)}.`)
    }
  }
  return out
}

/** The items of a list, with pending operations. */
function shownPks(row: Row): string[] {
  return pksOf(top(row))
}

/** The items of a list without pending operations. */
function committedPks(row: Row): string[] {
  return pksOf(row.value)
}

/** The records of a list's members that the store has, in the list or not. */
function recordsFor(controller: Controller, { table }: Row): Row[] {
  const { core } = controller
  const { tables } = core.store
  const records: Row[] = []
  for (const key of table.holds) {
    const { rows = [], floating = [] } = tables.tables.get(key) ?? {}
    records.push(...rows, ...floating)
  }
  return records
}

/** All lists that can contain a record. */
function listsFor(controller: Controller, { table }: Row): Row[] {
  const { tables } = controller.core.store
  return (tables.holders.get(table.key) ?? []).flatMap(({ rows }) => rows)
}
