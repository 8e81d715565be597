/** How many records are named of each operator. */
const NAMED = 20

/** The runs of the functions of one operator after the last change. */
export interface OperatorLooks {
  /** `where((todo) => !todo.done)` */
  readonly text: string
  /** How often they were called, and how long that took with what the operator keeps, in milliseconds. */
  readonly count: number
  readonly time: number
  /** The names of the first records. */
  readonly records: readonly string[]
}

/** How often the functions of live queries were called for a record. */
export interface Looks {
  readonly total: number
  /** By the last change of records, or the first read of a query. */
  readonly last: number
  /** The same by operator. */
  readonly operators: readonly OperatorLooks[]
}

interface Operator {
  text: string
  count: number
  time: number
  records: string[]
}

interface Count {
  total: number
  last: number
  byStage: Map<object, Operator>
  /** The change goes on. */
  isOpen: boolean
}

const counts = /* @__PURE__ */ new WeakMap<object, Count>()

/** Functions of a live query are called for a record, or a group. Called in development alone. */
export function noteLook(tables: object, stage: object, name: string, runs: readonly unknown[], record: string): void {
  const count = countOf(tables)
  let operator = count.byStage.get(stage)
  if (!operator) {
    const text = `${name}(${runs.map(sourceText).join(', ')})`
    count.byStage.set(stage, (operator = { text, count: 0, time: 0, records: [] }))
  }
  operator.count++
  if (operator.records.length < NAMED) {
    operator.records.push(record)
  }
  count.total++
  count.last++
}

/** The functions of an operator were called for all records that they had to look at. */
export function noteTime(tables: object, stage: object, time: number): void {
  const operator = counts.get(tables)?.byStage.get(stage)
  if (operator) {
    operator.time += time
  }
}

/** The looks of the live queries of a store, by its tables; `undefined` before the first one. */
export function looksOf(tables: object): Looks | undefined {
  const count = counts.get(tables)
  return count && { total: count.total, last: count.last, operators: [...count.byStage.values()] }
}

function countOf(tables: object): Count {
  let count = counts.get(tables)
  if (!count) {
    counts.set(tables, (count = { total: 0, last: 0, byStage: new Map(), isOpen: false }))
  }
  if (!count.isOpen) {
    const current = count
    current.isOpen = true
    current.last = 0
    current.byStage = new Map()
    // Everything that one change leads to is computed before the next task.
    queueMicrotask(() => (current.isOpen = false))
  }
  return count
}

/** The text of a function in one line. */
function sourceText(run: unknown): string {
  const text = String(run).replace(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
