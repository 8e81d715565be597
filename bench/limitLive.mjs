// Live queries written by hand for the jobs of `live-*`: each keeps its result up to date with the one record that has changed.
import { LIVE } from './rows.mjs'

/** @param see the value of a row; `rows` are in the order of the table */
export function createLive(kind, rows, see) {
  rows.forEach((row, i) => (row.inLive = i))
  if (kind === 'groups') {
    return createGroups(rows)
  }
  if (kind === 'filter') {
    return createOrder(rows, see, {
      passes: ({ value }) => value.priority % 3 === 0,
      keyOf: () => 0,
      idOf: ({ inLive }) => inLive,
    })
  }
  if (kind === 'sort' || kind === 'top') {
    const idOf = ({ value }) => String(value.id)
    return createOrder(rows, see, { keyOf: ({ value }) => value.priority, idOf, most: kind === 'top' ? 50 : undefined })
  }
  return { change: () => {}, read: (...args) => LIVE[kind](rows.map(see), ...args) }
}

function createGroups(rows) {
  const sums = new Map()
  let shown
  const add = ({ comments }, by) => sums.set(comments, (sums.get(comments) ?? 0) + by)
  rows.forEach(({ value }) => add(value, value.priority))
  return {
    change({ value }, before) {
      add(before, -before.priority)
      add(value, value.priority)
      shown = undefined
    },
    read: () => (shown ??= [...sums].sort(([a], [b]) => a - b).map(([key, sum]) => ({ key, sum }))),
  }
}

/** Rows in order, and their values beside them. */
function createOrder(rows, see, { passes = () => true, keyOf, idOf, most }) {
  const toItem = (row) => ({ row, key: keyOf(row), id: idOf(row) })
  const compare = (a, b) => a.key - b.key || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  const items = rows.filter(passes).map(toItem).sort(compare)
  const itemOf = new Map(items.map((item) => [item.row, item]))
  let values = most === undefined ? items.map(({ row }) => see(row)) : undefined
  let isCopied = false

  function placeOf(item) {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(items[middle], item) < 0) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
  return {
    change(row) {
      const old = itemOf.get(row)
      if (values && !isCopied) {
        values = values.slice()
        isCopied = true
      }
      if (old) {
        const at = placeOf(old)
        items.splice(at, 1)
        values?.splice(at, 1)
        itemOf.delete(row)
      }
      if (passes(row)) {
        const item = toItem(row)
        const at = placeOf(item)
        items.splice(at, 0, item)
        values?.splice(at, 0, see(row))
        itemOf.set(row, item)
      }
    },
    read() {
      isCopied = false
      return values ?? items.slice(0, most).map(({ row }) => see(row))
    },
  }
}
