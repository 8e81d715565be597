import type { Node } from '../rows/Node.ts'
import { type Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'

/** `Todo 5`, `[Todo] {"group":"a"}`, or the key of a result. */
export function nameOf({ table, pk }: Row): string {
  return table.key === '' ? pk : `${table.key} ${pk}`
}

/** The name of what a node shows. */
export function nodeName({ kind, source, schema, aside }: Node): string {
  if (kind === 'query') {
    const args = aside?.args?.length ? ` ${aside.args.map(asText).join(', ')}` : ''
    return `${schema?.key ?? schema?.constructor?.name}${args}`
  }
  return source === undefined || source instanceof Table ? (source?.key ?? kind) : nameOf(source)
}

/** JSON where a value has any. */
export function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** True for tables of lists and maps. */
export function isListTable(key: string): boolean {
  return /^[[{]/.test(key)
}

/** The pks that a list or map contains. */
export function pksOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).map((item) => {
        const pk: unknown = (item as { id?: unknown } | null)?.id ?? item
        // An item that was not normalised may be anything.
        return typeof pk === 'object' ? asText(pk) : String(pk)
      })
    : []
}
