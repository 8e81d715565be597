import { SharedView } from '../views/SharedView.ts'
import { isEndpoint } from '../requests/Reading.ts'
import { describeView } from '../explain/printViews.ts'
import { nodeName } from '../explain/rowNames.ts'
import { originOf } from '../rows/origin.ts'
import { isEntity } from '../schema/Schema.ts'

/** An element as Chrome's console formatters write it. */
type Markup = readonly [tag: string, attributes: object, ...children: unknown[]]

/** A console formatter of Chrome; people switch them on in the settings of its devtools. */
export interface Formatter {
  header(value: unknown): Markup | null
  hasBody(value: unknown): boolean
  body(value: unknown): Markup | null
}

/** Shows records, endpoints and views in the console by their names. */
export const formatter: Formatter = {
  header(value) {
    const label = labelOf(value)
    return label === undefined ? null : ['span', {}, label]
  },
  hasBody: () => true,
  body: (value) => ['object', { object: value instanceof SharedView ? describeView(value) : { ...(value as object) } }],
}

/** Adds the formatter to those of the page. Returns the function that removes it. */
export function installFormatter(): () => void {
  const page = globalThis as { devtoolsFormatters?: Formatter[] }
  page.devtoolsFormatters = [...(page.devtoolsFormatters ?? []), formatter]
  return () => {
    page.devtoolsFormatters = page.devtoolsFormatters?.filter((one) => one !== formatter) ?? []
  }
}

function labelOf(value: unknown): string | undefined {
  if (value instanceof SharedView) {
    return `View ${nodeName(value.node)}`
  }
  if (typeof value === 'function' && isEndpoint(value)) {
    const { method = 'GET', path, name } = value as { method?: string; path?: string; name: string }
    return `Endpoint ${path === undefined ? name : `${method} ${path}`}`
  }
  const row = originOf(value)
  return row && isEntity((value as object).constructor) ? `${row.table.key} ${row.pk}` : undefined
}
