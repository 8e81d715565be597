import { member } from '../base/equal.ts'
import { filterText, meaningOf } from './arguments.ts'
import { isLoose } from './membership.ts'
import type { List } from './List.ts'

/**
 * The items of a list tell what its arguments mean: those that some item has with another value are no plain filters (`loose`), as of
 * `?title=a` where titles only contain it; those that all have with the same value are `proven` for every list of the table. An empty
 * response tells nothing.
 */
export function learn(list: List, items: readonly unknown[]): Pick<List, 'loose' | 'proven'> {
  const loose: string[] = []
  const proven: string[] = []
  const { filters, searches } = meaningOf(list)
  for (const [name, text] of list.collection?.ownFilter ? [] : filters.filter(([one]) => !searches.has(one))) {
    const values = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    const isTold = values.length > 0
    const isPlain = isTold ? values.every((value) => filterText(value) === text) : !isLoose(list, name)
    if (!isPlain) {
      loose.push(name)
    } else if (isTold) {
      proven.push(name)
    }
  }
  return { loose: loose.length > 0 ? loose : undefined, proven }
}
