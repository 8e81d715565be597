import type { Controller } from '../controller/Controller.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import { STALE } from '../rows/Meta.ts'
import type { ResultMeta } from '../store/Store.ts'
import { button, fill, h } from './dom.ts'
import { targetOf } from './references.ts'

/** How a row stands, as people filter by it. */
export type Status = 'fresh' | 'stale' | 'in doubt' | 'fetching' | 'error' | 'invalid' | 'empty' | 'pending' | 'deleted'

export const STATUS_COLOURS: Readonly<Record<Status, 'good' | 'warn' | 'bad' | 'info' | 'plain'>> = {
  fresh: 'good',
  stale: 'warn',
  'in doubt': 'warn',
  fetching: 'info',
  error: 'bad',
  invalid: 'warn',
  empty: 'plain',
  pending: 'info',
  deleted: 'bad',
}

/** The status of a record or list. */
export function rowStatus(row: Row, now: number): Status[] {
  const { value, meta, pending } = row
  const status =
    value === INVALID
      ? 'deleted'
      : meta === undefined
        ? 'empty'
        : isInDoubt(row)
          ? 'in doubt'
          : meta.expiresAt > now
            ? 'fresh'
            : 'stale'
  return pending ? ['pending', status] : [status]
}

/** The status of the result of an endpoint. */
export function resultStatus(controller: Controller, row: Row, isInFlight: boolean): Status[] {
  const meta: ResultMeta | undefined = row.meta
  const status = !meta
    ? 'empty'
    : meta.invalidated
      ? 'invalid'
      : meta.error
        ? 'error'
        : hasDoubt(controller, row)
          ? 'in doubt'
          : meta.expiresAt > controller.clock.now()
            ? 'fresh'
            : 'stale'
  return isInFlight ? ['fetching', status] : [status]
}

/** True if the result, or a row that it shows, has to be fetched again. */
function hasDoubt(controller: Controller, row: Row): boolean {
  const target = targetOf(row)
  if (!target || isInDoubt(row)) {
    return isInDoubt(row)
  }
  try {
    const { data, expiresAt } = controller.core.reads.read(...target)
    return data !== undefined && expiresAt <= STALE
  } catch {
    // Code of the app runs, and may throw.
    return false
  }
}

/** How many facts have each status, in a fixed order. `shown` is counted without any, too. */
export function statusCounts(
  facts: readonly { readonly statuses: readonly Status[] }[],
  shown?: Status,
): [status: Status, count: number][] {
  const all = facts.flatMap(({ statuses }) => statuses)
  return (Object.keys(STATUS_COLOURS) as Status[])
    .map((status): [Status, number] => [status, all.filter((one) => one === status).length])
    .filter(([status, count]) => count > 0 || status === shown)
}

/** Buttons that choose one status, each with the number of rows that have it. */
export interface StatusFilter {
  readonly element: HTMLElement
  /** Counts facts and returns those that pass. */
  apply<T extends { readonly statuses: readonly Status[] }>(facts: readonly T[]): T[]
  /** Lets rows with this status pass, or all. */
  choose(status: Status | undefined): void
}

export function createStatusFilter(changed: () => void): StatusFilter {
  let chosen: Status | undefined
  const element = h('div', { class: 'bar chips', role: 'group', aria: { label: 'Filter by status' } })
  const chip = (status: Status | undefined, count: number): HTMLElement =>
    button(
      `${status ?? 'all'} ${count.toLocaleString('en')}`,
      () => {
        chosen = status
        changed()
      },
      { 'data-id': status ?? 'all', class: 'chip', aria: { pressed: status === chosen } },
    )
  return {
    element,
    apply(facts) {
      const counts = statusCounts(facts, chosen)
      const chips = counts.map(([status, count]) => chip(status, count))
      fill(element, ...(counts.length > 0 ? [chip(undefined, facts.length), ...chips] : []))
      return chosen ? facts.filter(({ statuses }) => statuses.includes(chosen!)) : [...facts]
    },
    choose(status) {
      chosen = status
    },
  }
}

/** A choice of orders. */
export function createSort<T>(
  orders: Readonly<Record<string, ((a: T, b: T) => number) | undefined>>,
  changed: () => void,
): { readonly element: HTMLSelectElement; apply(facts: readonly T[]): readonly T[] } {
  const element = h(
    'select',
    { aria: { label: 'Order' }, on: { change: changed } },
    ...Object.keys(orders).map((text) => h('option', { value: text, text })),
  )
  return {
    element,
    apply(facts) {
      const order = orders[element.value]
      return order ? [...facts].sort(order) : facts
    },
  }
}
