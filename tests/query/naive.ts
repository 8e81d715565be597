// Computes the result of a live query at once from all records: the measure for `query/`.

/** The rank of a key, as docs/spec/query.md has it. */
function rankOf(key: unknown): number {
  const isNumber = typeof key === 'number' || typeof key === 'bigint'
  return [
    typeof key === 'boolean',
    isNumber && !Number.isNaN(key),
    key instanceof Date,
    typeof key === 'string',
    Number.isNaN(key),
    key === null,
    key === undefined,
  ].indexOf(true)
}

export function naiveCompare(a: unknown, b: unknown, direction?: string): number {
  const [x, y] = [rankOf(a), rankOf(b)]
  if (x >= 4 || y >= 4) {
    return x - y
  }
  const found = x === y ? Number((a as any) > (b as any)) - Number((a as any) < (b as any)) : x - y
  return direction === 'desc' ? -found : found
}

export type Naive = (items: any[], args: any) => any

export const naive = {
  where:
    (run: (item: any, args: any) => unknown): Naive =>
    (items, args) =>
      items.filter((item) => run(item, args)),
  sortBy:
    (...runs: ((item: any, args: any) => any)[]): Naive =>
    (items, args) => {
      const keyed = items.map((item) => ({
        item,
        keys: runs.map((run) => run(item, args)).map((key) => (Array.isArray(key) ? key : [key])),
      }))
      const order = (a: any, b: any): number => {
        for (let i = 0; i < runs.length; i++) {
          const found = naiveCompare(a.keys[i][0], b.keys[i][0], a.keys[i][1])
          if (found !== 0) {
            return found
          }
        }
        return naiveCompare(idOf(a.item), idOf(b.item))
      }
      return keyed.sort(order).map(({ item }) => item)
    },
  slice:
    (range: (args: any) => readonly [number, number]): Naive =>
    (items, args) =>
      items.slice(...range(args)),
  first: (): Naive => (items) => items[0],
  /** Groups as `make` shows them. */
  groupBy:
    (run: (item: any, args: any) => unknown, make: (key: any, records: any[], args: any) => unknown): Naive =>
    (items, args) => {
      const groups = new Map<unknown, any[]>()
      for (const item of items) {
        const key = run(item, args)
        groups.set(key, [...(groups.get(key) ?? []), item])
      }
      return [...groups].sort(([a], [b]) => naiveCompare(a, b)).map(([key, records]) => make(key, records, args))
    },
  of:
    (total: (items: any[], args: any) => unknown): Naive =>
    (items, args) =>
      total(items, args),
}

function idOf(item: any): string {
  return typeof item.pk === 'function' ? item.pk() : String(item.key)
}
