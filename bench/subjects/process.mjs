// The function of a query alone, over an array that is always ready: what a query over all records cannot go below.
import { LIVE, PROCESS } from '../rows.mjs'

export const rows = ['query-all-sort', 'query-all-filter', 'query-all-sum', 'live-first']

export function create() {
  let all = []
  return {
    list: (rows) => (all = rows),
    set: (fields) => (all[fields.id] = { ...all[fields.id], ...fields }),
    query: (kind) => PROCESS[kind](all),
    live: (kind) => LIVE[kind](all),
  }
}
