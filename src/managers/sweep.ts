import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Core } from '../controller/Core.ts'
import type { GCAction } from '../requests/actions.ts'
import { forget } from '../requests/collect.ts'
import type { Result } from '../requests/Result.ts'
import { sourcesOf } from '../reading/query.ts'
import type { Observer } from '../explain/observers.ts'
import type { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { Meta } from '../rows/Meta.ts'
import { report } from '../base/report.ts'
import { limitBy } from './expiry.ts'
import type { GCOptions } from './GCPolicy.ts'

/** How many rows one step looks at. */
const STRIDE = 500

/** How the names of the tables begin that have the cells of Scalars. */
const CELLS = 'Scalar('

/** Sweeps at intervals; returns the function that ends it. `whenIdle` runs a slice of a sweep. */
export function startSweeps(
  controller: Controller,
  options: GCOptions,
  whenIdle: ((run: () => void) => void) | undefined,
): () => void {
  const { clock, core } = controller
  const { intervalMS = 300_000 } = options
  let timer: unknown
  let isOver = false
  const later = (run: () => void): void => {
    const runNow = (): void => {
      if (!isOver) {
        run()
      }
    }
    ;(whenIdle ?? waitForIdle)(runNow, clock)
  }
  const wait = (): void => {
    // Timers count in 32 bits: a longer wait would end at once.
    if (!isOver && intervalMS < 2 ** 31) {
      timer = clock.setTimeout(() => later(() => runSweep(controller, options, later, wait)), intervalMS)
    }
  }
  const observer = core.observer as Observer | undefined
  if (DEV && observer) {
    observer.limit = limitBy(options)
  }
  wait()
  return () => {
    isOver = true
    clock.clearTimeout(timer)
  }
}

/** Runs it when the page is idle, within a second. Platforms that cannot tell run it as soon as they can. */
function waitForIdle(run: () => void, clock: Clock): void {
  const { requestIdleCallback } = globalThis as {
    requestIdleCallback?: (run: () => void, options: object) => unknown
  }
  if (requestIdleCallback) {
    requestIdleCallback(run, { timeout: 1_000 })
  } else {
    clock.setTimeout(run, 0)
  }
}

/** Removes rows without readers, the first slice at once and each further one `later`; calls `end` after the last. */
function runSweep(controller: Controller, options: GCOptions, later: (run: () => void) => void, end: () => void): void {
  const slices = sweep(controller.core, limitBy(options))
  const step = (): void => {
    try {
      const { value, done } = slices.next()
      if (value && value.entities.length + value.endpoints.length > 0) {
        controller.dispatch({ type: 'rdc/gc', ...value }).catch(report)
      }
      if (!done) {
        return later(step)
      }
    } catch (error) {
      report(error)
    }
    end()
  }
  step()
}

/**
 * Looks for rows without readers, a slice at each step, and yields what may be removed. A row is kept for as long as the newest of the
 * responses that contained it, so a list goes before its items.
 *
 * @param limit from when on a row may be removed
 */
export function* sweep(
  core: Pick<Core, 'store' | 'mounted' | 'holds'>,
  limit: (meta: Meta, isResult: boolean) => number,
): Generator<Omit<GCAction, 'type'>, void> {
  const { store, mounted } = core
  const { tables, clock } = store
  const { endpoints } = tables
  const held = new Set<Row | Table>()
  const counted = new Set<object>()
  // Readers may be mounted while the sweep goes on.
  const hold = (): void => {
    for (const view of mounted) {
      if (!counted.has(view)) {
        counted.add(view)
        sourcesOf(view.node).forEach((source) => held.add(source))
      }
    }
    for (const names of core.holds) {
      if (!counted.has(names)) {
        counted.add(names)
        const { key = '', paths = [] } = names
        const rows = paths.map((path) => tables.tables.get(path.key)?.byPk.get(path.pk))
        ;[endpoints.byPk.get(key), ...rows].forEach((row) => row && held.add(row))
      }
    }
    // A list that is shown with a pending change needs its records.
    for (const row of store.pending.flatMap(({ rows }) => rows)) {
      ;(row.node ? sourcesOf(row.node) : [row]).forEach((source) => held.add(source))
    }
  }
  hold()
  // Rows that are written or read from now on are younger than this.
  const start = clock.now()
  const isFree = (row: Row): boolean =>
    !held.has(row) && (row.kept === undefined || limit(row.kept, row.table === endpoints) < start)
  // Lists first: a write in between does not find a list that holds a record which is gone.
  const others = [...tables.tables.values()].sort((a, b) => b.holds.length - a.holds.length)
  for (const table of [endpoints, ...others]) {
    const isResult = table === endpoints
    const isCell = table.key.startsWith(CELLS)
    let found: string[] = []
    const garbage = (): Omit<GCAction, 'type'> => ({
      endpoints: isResult ? found : [],
      entities: isResult ? [] : found.map((pk) => ({ key: table.key, pk })),
    })
    let count = 0
    for (const row of Array.from(table.byPk.values())) {
      if (isFree(row) && !(isCell && isOfRow(tables.tables, row))) {
        if (row.meta === undefined) {
          forget(row)
        } else if (!(row as Result).isRead) {
          found.push(row.pk)
        }
      }
      if (++count % STRIDE === 0) {
        yield garbage()
        found = []
        hold()
      }
    }
    yield garbage()
    hold()
  }
}

/** The cells of a Scalar go with the record they belong to: `User|5|EUR`. */
function isOfRow(tables: ReadonlyMap<string, Table>, { pk }: Row): boolean {
  const start = pk.indexOf('|')
  return tables.get(pk.slice(0, start))?.byPk.get(pk.slice(start + 1, pk.lastIndexOf('|')))?.meta !== undefined
}
