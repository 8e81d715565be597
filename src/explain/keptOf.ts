import { DEV } from '../base/env.ts'
import type { Controller } from '../controller/Controller.ts'
import type { CountRefOptions } from '../controller/GCInterface.ts'
import type { Result } from '../requests/Result.ts'
import { nodesOf, parentsOf } from '../rows/Node.ts'
import { Row } from '../rows/Row.ts'
import type { History } from './history.ts'
import { mountedOn, readersOf } from './readersOf.ts'
import { nameOf } from './rowNames.ts'

/** Why the garbage collector keeps a row, each reason a sentence; and until when, at least. */
export function keptOf(controller: Controller, history: History, row: Row): { why: string[]; until: number } {
  const { holds } = controller.core
  const { kept: meta, table } = row
  const why: string[] = []
  if (meta === undefined) {
    return { why, until: 0 }
  }
  const isResult = table.key === ''
  const now = controller.clock.now()
  const until = history.limit?.(meta, isResult, row.pk) ?? Infinity
  const { count } = readersOf(mountedOn(row))
  if (count > 0) {
    why.push(`${count === 1 ? 'A reader shows' : `${count} readers show`} it.`)
  } else if ((row as Result).isRead) {
    why.push('A reader is waiting for it.')
  }
  const isNamed = ({ key, paths = [] }: CountRefOptions): boolean =>
    isResult ? key === row.pk : paths.some((path) => path.key === row.key && path.pk === row.pk)
  if ([...holds].some(isNamed)) {
    why.push('countRef() holds it.')
  }
  if (row.pending !== undefined) {
    why.push('A pending operation changes it.')
  }
  if (history.limit === undefined) {
    // Policies report their limit in development only.
    if (DEV) {
      why.push('The garbage policy of this store removes nothing.')
    }
  } else if (until > now) {
    why.push(until === Infinity ? 'It never expires.' : 'It is not old enough to be removed.')
  }
  const holders = holdersOf(row)
  if (holders.length > 0) {
    const more = holders.length > 3 ? ` and ${holders.length - 3} more` : ''
    why.push(`It is part of ${holders.slice(0, 3).join(', ')}${more}.`)
  }
  return { why, until }
}

/** The names of the rows that show a row as a part of them. */
function holdersOf({ node }: Row): string[] {
  const parents = node ? nodesOf(node).flatMap((one) => Array.from(parentsOf(one))) : []
  const rows = parents.map(({ source }) => source).filter((source): source is Row => source instanceof Row)
  return [...new Set(rows)].map(nameOf)
}
