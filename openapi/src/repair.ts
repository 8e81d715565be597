import { type Description, METHODS } from './Description.ts'
import { OpenApiError } from './errors.ts'

/** A place in a description that holds the wrong thing, and how to put it right. */
interface Fault {
  readonly pointer: string
  readonly message: string
  readonly mend: () => void
}

type Node = Record<string, unknown>

/**
 * Finds what could not be read: a schema that is no object, and a reference that leads nowhere. Without `onFault`, the first one is an error;
 * with it, each is left out of a copy that is returned.
 */
export function repair(description: Description, onFault?: (fault: string) => void): Description {
  const [first, ...others] = findFaults(description)
  if (first === undefined) {
    return description
  }
  if (onFault === undefined) {
    const more = others.length > 0 ? [`… and ${others.length} more`] : []
    throw new OpenApiError(`${first.message}. Correct it, or pass --lenient to leave it out.`, [first.pointer, ...more])
  }
  const copy = structuredClone(description)
  for (const { pointer, message, mend } of findFaults(copy)) {
    onFault(`${pointer}: ${message}; it is left out`)
    mend()
  }
  return copy
}

function findFaults(description: Description): Fault[] {
  const faults: Fault[] = []
  const seen = new WeakSet<object>()
  const add = (pointer: string, message: string, mend: () => void): void => void faults.push({ pointer, message, mend })

  /** Visits the object in a member, or notes that there is none. A text instead of a schema says nothing. */
  const visit = (
    parent: Node | unknown[],
    key: string | number,
    pointer: string,
    what: string,
    inner: (node: Node, pointer: string) => void,
  ): void => {
    const at = parent as Node
    const value = at[key]
    const place = `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (value === undefined || (typeof value === 'boolean' && what === 'schema')) {
      return
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const mend = (): void => {
        if (Array.isArray(parent)) {
          parent[Number(key)] = {}
        } else {
          delete at[key]
        }
      }
      add(place, `A ${what} has to be an object, and this is ${describe(value)}`, mend)
      return
    }
    if (seen.has(value)) {
      return
    }
    seen.add(value)
    const { $ref } = value as { $ref?: unknown }
    if ($ref !== undefined) {
      const fault = typeof $ref === 'string' ? refFault(description, $ref) : 'A reference has to be a text'
      if (fault !== undefined) {
        add(place, fault, () => void delete (value as Node)['$ref'])
      }
      return
    }
    inner(value as Node, place)
  }
  const each = (parent: unknown, pointer: string, what: string, inner: (node: Node, pointer: string) => void): void => {
    if (typeof parent === 'object' && parent !== null) {
      for (const key of Object.keys(parent)) {
        visit(parent as Node, Array.isArray(parent) ? Number(key) : key, pointer, what, inner)
      }
    }
  }
  const schema = (node: Node, pointer: string): void => {
    for (const key of ['items', 'additionalProperties', 'not']) {
      visit(node, key, pointer, 'schema', schema)
    }
    for (const key of ['properties', 'patternProperties', 'allOf', 'oneOf', 'anyOf', 'prefixItems']) {
      each(node[key], `${pointer}/${key}`, 'schema', schema)
    }
  }
  const content = (node: Node, pointer: string): void => {
    each(node['content'], `${pointer}/content`, 'media type', (media, place) =>
      visit(media, 'schema', place, 'schema', schema),
    )
    each(node['headers'], `${pointer}/headers`, 'header', () => {})
  }
  const parameter = (node: Node, pointer: string): void => {
    visit(node, 'schema', pointer, 'schema', schema)
    content(node, pointer)
  }
  const { components = {}, paths = {} } = description as { components?: Node; paths?: Node }
  each(components['schemas'], '#/components/schemas', 'schema', schema)
  each(components['parameters'], '#/components/parameters', 'parameter', parameter)
  each(components['responses'], '#/components/responses', 'response', content)
  each(components['requestBodies'], '#/components/requestBodies', 'request body', content)
  each(components['securitySchemes'], '#/components/securitySchemes', 'security scheme', () => {})
  each(paths, '#/paths', 'path', (item, place) => {
    each(item['parameters'], `${place}/parameters`, 'parameter', parameter)
    for (const method of METHODS) {
      visit(item, method, place, 'operation', (operation, at) => {
        each(operation['parameters'], `${at}/parameters`, 'parameter', parameter)
        visit(operation, 'requestBody', at, 'request body', content)
        each(operation['responses'], `${at}/responses`, 'response', content)
      })
    }
  })
  return faults
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `${typeof value} ${JSON.stringify(value)}`
}

/** The fault of a reference that leads to nothing inside the document. */
function refFault(description: Description, reference: string): string | undefined {
  let at: unknown = description
  for (const part of reference.slice(2).split('/')) {
    at = Object(at)[decode(part)]
  }
  return !reference.startsWith('#/') || typeof at !== 'object' || at === null
    ? `The reference "${reference}" leads nowhere`
    : undefined
}

function decode(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
