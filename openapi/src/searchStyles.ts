import type { Parameter } from './Description.ts'
import { type Model, typesOf } from './Model.ts'
import type { Operation } from './readOperations.ts'

/** How a parameter that is a list or an object is written; a list without a style is repeated: `a=1&a=2`. */
export type SearchStyle = 'deep' | 'spread' | 'json' | ',' | ' ' | '|'

/** The styles of the query parameters of an operation that are lists or objects, by name; `undefined` for a list that is repeated. */
export function stylesOf(model: Model, { query }: Operation): Map<string, SearchStyle | undefined> {
  return new Map(
    query
      .filter((parameter) => parameter.content !== undefined || hasParts(model, parameter))
      .map((parameter) => [parameter.name, styleOf(model, parameter)]),
  )
}

/** The style of each parameter. If operations differ about one, the first of them counts, and the others say theirs. */
export function allStyles(model: Model, operations: readonly Operation[]): Map<string, SearchStyle | undefined> {
  const styles = new Map<string, SearchStyle | undefined>()
  for (const operation of operations) {
    for (const [name, style] of stylesOf(model, operation)) {
      if (!styles.has(name)) {
        styles.set(name, style)
      }
    }
  }
  return styles
}

function hasParts(model: Model, { schema, style }: Parameter): boolean {
  const types = schema === undefined ? [] : typesIn(model, schema)
  return style === 'deepObject' || types.includes('array') || types.includes('object')
}

function typesIn(model: Model, node: NonNullable<Parameter['schema']>): string[] {
  return model.options(node).flatMap((option): readonly string[] => {
    const { schema } = model.resolve(option)
    return schema.properties ? ['object'] : typesOf(schema)
  })
}

function styleOf(
  model: Model,
  { schema, content, style = 'form', explode = style === 'form' }: Parameter,
): SearchStyle | undefined {
  if (content !== undefined) {
    return 'json'
  }
  switch (style) {
    case 'deepObject':
      return 'deep'
    case 'spaceDelimited':
      return explode ? undefined : ' '
    case 'pipeDelimited':
      return explode ? undefined : '|'
  }
  const isObject = schema !== undefined && typesIn(model, schema).includes('object')
  return explode ? (isObject ? 'spread' : undefined) : ','
}
