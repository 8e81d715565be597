import { type AnyRow, listAt } from '../lists/ListRow.ts'
import { h, tag } from './dom.ts'
import { argsText, plural } from './keys.ts'
import { STATUS_COLOURS } from './statuses.ts'
import { type RowFact, titleOf } from './storeFacts.ts'

/** A record or list on one line. `kind` names its table where there are several. */
export function rowCells({ row, pk, value, statuses }: RowFact, kind: string, varying: Varying): Node[] {
  const cells = listAt(row)
    ? listCells(row, value, kind, varying)
    : [
        h('span', { class: 'mono', text: kind ? `${kind} ${pk}` : pk }),
        h('span', { class: 'main dim', text: titleOf(value) }),
      ]
  // Most are fresh, and need no word.
  return [...cells, ...statuses.filter((one) => one !== 'fresh').map((one) => tag(one, STATUS_COLOURS[one]))]
}

/** For each table of lists: the arguments in which its lists differ. */
export type Varying = ReadonlyMap<string, ReadonlySet<string>>

/** Finds the arguments that tell lists apart. */
export function varyingArgs(rows: readonly AnyRow[]): Varying {
  const values = new Map<string, Map<string, Set<string>>>()
  for (const { table, list } of rows) {
    const args = values.get(table.key) ?? new Map<string, Set<string>>()
    values.set(table.key, args)
    for (const [name, value] of Object.entries(list?.keyArgs ?? {})) {
      args.set(name, (args.get(name) ?? new Set()).add(JSON.stringify(value)))
    }
  }
  const isVarying = ([name, texts]: [string, Set<string>], all: readonly AnyRow[]): boolean =>
    texts.size > 1 || all.some(({ list }) => !Object.hasOwn(list?.keyArgs ?? {}, name))
  return new Map(
    [...values].map(([key, args]) => {
      const all = rows.filter(({ table }) => table.key === key)
      return [key, new Set([...args].filter((arg) => isVarying(arg, all)).map(([name]) => name))]
    }),
  )
}

/** The arguments that tell it from other lists come first. */
function listCells({ table, list }: AnyRow, value: unknown, kind: string, varying: Varying): HTMLElement[] {
  const own = varying.get(table.key)
  const args = Object.entries(list!.keyArgs)
  const first = argsText(Object.fromEntries(args.filter(([name]) => own?.has(name))))
  const rest = argsText(Object.fromEntries(args.filter(([name]) => !own?.has(name))))
  const items = Object.keys(Object(value) as object).length
  const pages = list!.pages.length
  return [
    h(
      'span',
      { class: 'main', title: argsText(list!.keyArgs) },
      h('strong', { text: [kind, first || (rest ? '' : 'no arguments')].filter(Boolean).join(' · ') }),
      h('span', { class: 'dim', text: rest && ` ${rest}` }),
    ),
    h('span', { class: 'dim', text: `${plural(items, 'item')}${pages > 1 ? `, ${plural(pages, 'page')}` : ''}` }),
  ]
}
