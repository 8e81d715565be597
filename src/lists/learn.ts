import { member } from '../base/equal.ts'
import { filterText, meaningOf } from './arguments.ts'
import { isLoose } from './membership.ts'
import type { List } from './List.ts'

/**
 * The items of a list tell what its arguments mean: those that some item has with another value are no plain filters, as of `?title=a`
 * where titles only contain it; those that all have with the same value are `proven` for every list of the table. An empty response
 * tells nothing.
 */
export function learn(list: List, items: readonly unknown[], proven: Set<string>): readonly string[] | undefined {
  if (list.collection?.ownFilter) {
    return undefined
  }
  const differs = ([name, text]: readonly [string, string]): boolean => {
    const values = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    if (values.length === 0) {
      return isLoose(list, name)
    }
    const isSame = values.every((value) => filterText(value) === text)
    return !(isSame && proven.add(name))
  }
  const { filters, searches } = meaningOf(list)
  const loose = filters.filter(([name]) => !searches.has(name)).filter(differs)
  return loose.length > 0 ? loose.map(([name]) => name) : undefined
}
