import { type Config, generate, type Generated } from '../src/index.ts'

export type Json = Record<string, unknown>

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name.replaceAll('/', '~1')}` })
export const text: Json = { type: 'string' }
export const number: Json = { type: 'integer' }
export const listOf = (items: Json): Json => ({ type: 'array', items })
export const object = (properties: Json, required: string[] = []): Json => ({ type: 'object', properties, required })
export const json = (schema: Json, more: Json = {}): Json => ({
  ...more,
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
export const body = (schema: Json): Json => ({ requestBody: { content: { 'application/json': { schema } } } })
export const query = (...names: string[]): Json => ({
  parameters: names.map((name) => ({ name, in: 'query', schema: text })),
})

/** Generates code from paths and schemas. Path parameters are declared by the path. */
export function build(
  paths: Record<string, Json>,
  schemas: Json = {},
  config: Config = {},
  { servers, ...components }: Json = {},
): Generated {
  const items = Object.entries(paths).map(([path, operations]) => {
    const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: text,
    }))
    return [path, { parameters, ...operations }]
  })
  const whole = { openapi: '3.1.0', paths: Object.fromEntries(items), components: { schemas, ...components } }
  return generate((servers ? { ...whole, servers } : whole) as never, config)
}

export const file = ({ files }: Generated, name: string): string => files.get(`${name}.ts`) ?? ''
export const finding = ({ report }: Generated, subject: string, kind = 'entity'): string | undefined => {
  const found = report.findings.find((row) => row.subject === subject && row.kind === kind)
  return found && `${found.verdict}: ${found.decision}`
}
