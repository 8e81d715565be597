import type { Controller } from '../controller/Controller.ts'
import { observe } from '../explain/observe.ts'
import { pendingOf, requestsOf } from '../explain/requestFacts.ts'
import { countUnsent } from './outboxTab.ts'
import { resultFacts, tableFacts } from './storeFacts.ts'

/** The numbers beside the names of the tabs. */
/** @param shown the store that records, lists and endpoints are of: it may be an earlier one */
export function countsOf(controller: Controller, shown: Controller): Readonly<Record<string, number>> {
  const tables = tableFacts(shown)
  const sum = (isList: boolean): number =>
    tables.reduce((total, fact) => total + (fact.isList === isList ? fact.count : 0), 0)
  return {
    Records: sum(false),
    Lists: sum(true),
    Endpoints: resultFacts(shown).length,
    Outbox: countUnsent({ controller }),
    Requests: requestsOf(controller, observe(controller)).length + pendingOf(controller).length,
  }
}

/** The name that the store was given, for the Redux DevTools too. */
export function storeName(controller: Controller, index: number): string {
  const names = (globalThis as { __DC_CONTROLLERS__?: Map<string, Controller> }).__DC_CONTROLLERS__
  const name = [...(names ?? [])].find(([, one]) => one === controller)?.[0]
  return `${name ?? 'Store'} ${index + 1}`
}
