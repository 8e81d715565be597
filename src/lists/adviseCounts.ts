import { isObject, isPlain } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import { nodesOf, parentsOf } from '../rows/Node.ts'
import type { ListRow } from './ListRow.ts'

/** Warns of a number beside a list that seems to count its items, and does not follow them. */
export function adviseCounts({ table, node }: ListRow, size: number): void {
  for (const { kind, source, value } of (node ? nodesOf(node) : []).flatMap((one) => Array.from(parentsOf(one)))) {
    const name = kind === 'result' ? countBeside(value, size) : undefined
    if (name !== undefined && source && 'pk' in source) {
      warnOnce(
        `"${name}" in the response of ${source.pk} seems to count the items of ${table.key}, and does not change when one joins or leaves. Name it in the Collection: counts: ['${name}'].`,
      )
    }
  }
}

/** The name of a number with this value, in an object or in one that it has: `total`, `meta.total`. */
function countBeside(value: unknown, size: number, isDeep = false): string | undefined {
  for (const [name, one] of isObject(value) ? Object.entries(value) : []) {
    if (one === size && /count|total/i.test(name)) {
      return name
    }
    const deeper = !isDeep && isPlain(one) && !Array.isArray(one) ? countBeside(one, size, true) : undefined
    if (deeper !== undefined) {
      return `${name}.${deeper}`
    }
  }
  return undefined
}
