import { json, type Answer } from './server.ts'

/** The result of a field: a value, or a function of its arguments. */
type Resolvers = { readonly [field: string]: unknown }

/** The schema of the server: the fields of its two roots. */
export interface Roots {
  readonly query: Resolvers
  readonly mutation?: Resolvers
}

interface Field {
  readonly alias: string
  readonly name: string
  readonly args: (variables: Record<string, unknown>) => Record<string, unknown>
  readonly fields: readonly Field[] | undefined
}

/**
 * Serves GraphQL over HTTP, as far as fields, aliases, arguments and variables go: a query that cannot be read is a
 * 400 with errors, a resolver that throws makes its field null and leaves an error beside the data.
 */
export function graphql(roots: Roots): Answer {
  return ({ method, headers, body }, response) => {
    const send = (value: unknown, status = 200): void =>
      json(value, status)({ method, headers, body } as never, response)
    if (method !== 'POST' || !/^application\/json\b/.test(headers['content-type'] ?? '')) {
      return send({ errors: [{ message: 'POST application/json' }] }, 415)
    }
    const { query, variables } = JSON.parse(body.toString()) as { query: string; variables?: Record<string, unknown> }
    let operation
    try {
      operation = parse(query)
    } catch (error) {
      return send({ errors: [{ message: (error as Error).message }] }, 400)
    }
    const errors: object[] = []
    const data = select(roots[operation.kind] ?? {}, operation.fields, variables ?? {}, [], errors)
    send(errors.length > 0 ? { data, errors } : { data })
  }
}

function select(
  value: any,
  fields: readonly Field[] | undefined,
  variables: Record<string, unknown>,
  path: readonly (string | number)[],
  errors: object[],
): unknown {
  if (value == null || !fields) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => select(item, fields, variables, [...path, at], errors))
  }
  return Object.fromEntries(
    fields.map(({ alias, name, args, fields: inner }) => {
      const at = [...path, alias]
      try {
        if (!(name in value)) {
          throw new Error(`Cannot query field "${name}"`)
        }
        const found = typeof value[name] === 'function' ? value[name](args(variables)) : value[name]
        return [alias, select(found, inner, variables, at, errors)]
      } catch (error) {
        errors.push({ message: (error as Error).message, path: at })
        return [alias, null]
      }
    }),
  )
}

/** The first operation of a document. Comments and commas mean nothing, as in the language itself. */
function parse(text: string): { kind: 'query' | 'mutation'; fields: readonly Field[] } {
  const tokens = [
    ...text.matchAll(/"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|#.*|\$?[_A-Za-z]\w*|-?[\d.]+|[^\s,\uFEFF]/g),
  ]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('#'))
  let at = 0
  const expect = (token: string): void => {
    if (tokens[at++] !== token) {
      throw new Error(`Syntax Error: Expected "${token}", found "${tokens[at - 1]}"`)
    }
  }
  const readValue = (): ((variables: Record<string, unknown>) => unknown) => {
    const token = tokens[at++] ?? ''
    if (token.startsWith('$')) {
      return (variables) => variables[token.slice(1)]
    }
    const value: unknown = JSON.parse(token.startsWith('"""') ? JSON.stringify(token.slice(3, -3)) : token)
    return () => value
  }
  const readFields = (): Field[] => {
    const fields: Field[] = []
    expect('{')
    while (tokens[at] !== '}') {
      let name = tokens[at++] ?? ''
      if (!/^\w+$/.test(name)) {
        throw new Error(`Syntax Error: Unexpected "${name}"`)
      }
      const alias = name
      if (tokens[at] === ':') {
        name = tokens[(at += 2) - 1]!
      }
      const given: [string, ReturnType<typeof readValue>][] = []
      if (tokens[at] === '(') {
        for (at++; tokens[at] !== ')';) {
          const key = tokens[at++]!
          expect(':')
          given.push([key, readValue()])
        }
        at++
      }
      const args: Field['args'] = (variables) =>
        Object.fromEntries(given.map(([key, value]) => [key, value(variables)]))
      fields.push({ alias, name, args, fields: tokens[at] === '{' ? readFields() : undefined })
    }
    at++
    return fields
  }
  const kind = tokens[at] === 'mutation' ? 'mutation' : 'query'
  while (at < tokens.length && tokens[at] !== '{') {
    at++
  }
  return { kind, fields: readFields() }
}
