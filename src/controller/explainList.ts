import { top } from '../normalize/shown.ts'
import type { Slot } from '../normalize/tables.ts'
import { INVALID } from '../schema/Schema.ts'
import type { Controller } from './Controller.ts'
import { ago } from './explainText.ts'
import type { History, ListChange } from './history.ts'
import { committedPks, listsFor, misfits, nameOf, pendingOf, recordsFor, shownPks } from './inspect.ts'

/** A record, and why it is or is not in a list. */
export interface MemberFact {
  readonly record: string
  readonly pk: string
  readonly why: string
}

/** A list, and why a record is or is not in it. */
export interface MembershipFact {
  readonly list: string
  readonly isMember: boolean
  readonly why: string
}

/** A list with its members. */
export interface ListFact {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly members: readonly MemberFact[]
  /** Records of its kind that the store has and the list does not contain. */
  readonly absent: readonly MemberFact[]
  /** The last changes of its members, newest first. */
  readonly changes: readonly ListChange[]
}

export function explainList(controller: Controller, history: History, list: Slot): ListFact {
  const records = new Map(recordsFor(controller, list).map((slot) => [slot.pk, slot]))
  const shown = shownPks(list)
  const inside = new Set(shown)
  const fact = (pk: string, isMember: boolean): MemberFact => {
    const slot = records.get(pk)
    return { record: slot ? nameOf(slot) : pk, pk, why: whyMember(controller, history, list, slot, pk, isMember) }
  }
  return {
    name: nameOf(list),
    args: { ...list.list?.at },
    members: shown.map((pk) => fact(pk, true)),
    absent: [...records.keys()].filter((pk) => !inside.has(pk)).map((pk) => fact(pk, false)),
    changes: history.changes(nameOf(list)).toReversed(),
  }
}

/** Of a record: which lists contain it, and why the others do not. */
export function explainLists(controller: Controller, history: History, record: Slot): MembershipFact[] {
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
  list: Slot,
  record: Slot | undefined,
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
  const row = record && top(record).value
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
