import type { Config, PagesConfig } from './config.ts'
import { flatName } from './names.ts'
import { CURSORS, NUMBERS, OFFSETS } from './pageNames.ts'
import { operationConfig } from './paths.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'

const PAGE_NAMES: ReadonlySet<string> = new Set([...CURSORS, ...NUMBERS, ...OFFSETS])

/** Adds the parameter that the configuration names as the page of a list, if the description leaves it out. */
export function addPageField(operation: Operation, config: Config, report: Report): Operation {
  const { pages } = operationConfig(operation, config)
  const field = pages ? pages.field : undefined
  const names = operation.query.map(({ name }) => name)
  // Beside a parameter that could be the page, another name is more likely a slip.
  if (!pages || field === undefined || names.includes(field) || names.some(isPage)) {
    return operation
  }
  const why = `the configuration names it, and the description has no such parameter. It has: ${names.join(', ') || 'none'}`
  report.add('unsure', 'pages', operation.id, `"${field}" added`, why)
  const schema = { type: isCounted(pages) ? ('integer' as const) : (['integer', 'string'] as const) }
  return { ...operation, query: [...operation.query, { name: field, in: 'query', schema }] }
}

const isPage = (name: string): boolean => PAGE_NAMES.has(flatName(name))

const isCounted = ({ next }: PagesConfig): boolean => next === 'count' || next === 'offset'
