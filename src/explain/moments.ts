import type { Core } from '../controller/Core.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { type DumpedRow, dumpOf, stateOf } from '../store/State.ts'
import type { State } from '../store/stateShape.ts'
import type { HistoryEvent } from './history.ts'

/** The store as readers saw it after an event. */
export interface Moment {
  readonly event: HistoryEvent
  readonly state: State
}

const MOST = 60
const LEAST = 10
/** States share the tables that are equal in them; of large stores fewer are kept. */
const MOST_ROWS = 200_000

/** The last states of a store. */
export interface Moments {
  readonly all: readonly Moment[]
  /** Keeps the state after an event, if that has changed it. */
  note(event: HistoryEvent): void
  clear(): void
}

export function createMoments(core: Core): Moments {
  let all: Moment[] = []
  let last: State | undefined
  return {
    get all() {
      return all
    },
    note(event) {
      const state = core.getState()
      if (state === last) {
        return
      }
      last = state
      const rows = dumpOf(state).tables.reduce((sum, [, { length }]) => sum + length, 1)
      const most = Math.max(LEAST, Math.min(MOST, Math.floor(MOST_ROWS / rows)))
      const moment = { event, state: withPending(core, state) }
      all = [...all.filter((one) => one.event !== event), moment].slice(-most)
    },
    clear() {
      all = []
    },
  }
}

/** A state with the pending operations over its rows, as readers see them. */
function withPending({ store }: Core, state: State): State {
  const dump = dumpOf(state)
  const covered = new Set(store.pending.flatMap((operation) => operation.rows))
  if (covered.size === 0) {
    return state
  }
  const times = { fetchedAt: dump.now, date: dump.now, expiresAt: Infinity }
  const cover = (key: string, rows: readonly DumpedRow[]): readonly DumpedRow[] => {
    const changed = new Map<string, Row>()
    for (const one of covered) {
      if (one.table.key === key) {
        changed.set(one.pk, one)
      }
    }
    const known = rows.map((row): DumpedRow => {
      const [pk, , ...rest] = row
      const pending = changed.get(pk)
      changed.delete(pk)
      return pending ? [pk, top(pending), ...rest] : row
    })
    const created = [...changed.values()].map((row): DumpedRow => [row.pk, top(row), times])
    return changed.size > 0 || known.some((row, at) => row !== rows[at]) ? [...known, ...created] : rows
  }
  const keys = new Set([...dump.tables.map(([key]) => key), ...[...covered].map(({ table }) => table.key)])
  keys.delete('')
  const tables = [...keys].map((key) => {
    const [, rows = [], indexed = []] = dump.tables.find(([one]) => one === key) ?? []
    return [key, cover(key, rows), indexed] as const
  })
  return stateOf({ ...dump, tables, results: cover('', dump.results) })
}
