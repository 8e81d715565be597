import type { Config, NextPage, PagesConfig } from './config.ts'
import { OpenApiError } from './errors.ts'
import { type Model } from './Model.ts'
import type { Operation } from './readOperations.ts'

const MEMBERS = {
  configuration: `input output headers lenient baseUrl baseClass entities operations names resources skipTags pages envelope auth casing dates
    validation importExtension external mocks types map format force`,
  entity: 'key scope table',
  operation: 'name resource pages envelope',
  pages: 'field next first after end',
  end: 'total count size sizeField pages more last',
  'base class': 'name from',
  auth: 'type name',
}

/** Refuses a configuration that names what the description does not have, or that has members that nothing reads. */
export function checkConfig(model: Model, operations: readonly Operation[], config: Config): void {
  checkMembers('configuration', config, '')
  checkMembers('base class', config.baseClass, 'baseClass')
  checkMembers('auth', config.auth || undefined, 'auth')
  const ids = operations.flatMap(({ id, operationId }) => (operationId === undefined ? [id] : [operationId, id]))
  const byId = new Map(operations.flatMap((own) => [[own.id, own] as const, [own.operationId ?? own.id, own] as const]))
  for (const [name, own] of Object.entries(config.operations ?? {})) {
    const operation = byId.get(name)
    if (operation === undefined) {
      throw new OpenApiError(
        `The configuration names an operation "${name}", which the description does not have. Use its operationId, or method and path: "GET /pets/{petId}".${suggest(name, ids)}`,
      )
    }
    checkMembers('operation', own || undefined, `operations["${name}"]`)
    if (own !== false && own.pages) {
      checkPages(model, operation, own.pages, `operations["${name}"].pages`)
    }
    if (own !== false && typeof own.envelope === 'string') {
      checkPath(model, operation, own.envelope, 'envelope')
    }
  }
  const places = [...new Set(operations.map(({ place }) => place))]
  for (const path of Object.keys(config.resources ?? {})) {
    if (!places.includes(path)) {
      throw new OpenApiError(
        `The configuration names a resource "${path}", but the description has no such path.${suggest(path, places)}`,
      )
    }
  }
  const schemas = Object.keys(model.description.components?.schemas ?? {})
  for (const [member, names] of [
    ['names', config.names],
    ['entities', config.entities],
  ] as const) {
    // A record that is described in place has the name of its path.
    const missing = Object.keys(names ?? {}).find((name) => !model.hasComponent(name))
    if (missing !== undefined) {
      const what = member === 'names' ? 'a schema' : 'an entity'
      throw new OpenApiError(
        `The configuration names ${what} "${missing}", but the description has no object schema of that name.${suggest(missing, schemas)}`,
        [`#/components/schemas/${missing}`],
      )
    }
  }
  for (const [name, own] of Object.entries(config.entities ?? {})) {
    checkMembers('entity', own || undefined, `entities["${name}"]`)
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const tag = config.skipTags?.find((name) => !tags.includes(name))
  if (tag !== undefined) {
    throw new OpenApiError(`The configuration skips the tag "${tag}", which no operation has.${suggest(tag, tags)}`)
  }
  const { pages, envelope } = config
  if (pages) {
    checkMembers('pages', pages, 'pages')
    if (pages.field !== undefined && !operations.some(({ query }) => query.some(({ name }) => name === pages.field))) {
      const names = [...new Set(operations.flatMap(({ query }) => query.map(({ name }) => name)))]
      throw new OpenApiError(
        `The configuration says that "${pages.field}" is the page of lists, and no operation has such a parameter.${suggest(pages.field, names)}`,
      )
    }
  }
  if (
    typeof envelope === 'string' &&
    !operations.some((operation) => findMember(model, operation, envelope) === undefined)
  ) {
    throw new OpenApiError(
      `The configuration says that "${envelope}" is the envelope, and no response has such a member.`,
    )
  }
}

function checkMembers(what: keyof typeof MEMBERS, value: object | undefined, place: string): void {
  const known = MEMBERS[what].split(/\s+/)
  const unknown = Object.keys(value ?? {}).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const where = place === '' ? 'The configuration' : `"${place}" of the configuration`
    throw new OpenApiError(`${where} has a member "${unknown}", which nothing reads.${suggest(unknown, known)}`)
  }
}

function checkPages(model: Model, operation: Operation, pages: PagesConfig, place: string): void {
  checkMembers('pages', pages, place)
  checkMembers('end', pages.end, `${place}.end`)
  const names = operation.query.map(({ name }) => name)
  if (pages.field !== undefined && !names.includes(pages.field)) {
    throw new OpenApiError(
      `The configuration says that "${pages.field}" is the page of ${operation.id}, which has no such parameter. It has: ${names.join(', ') || 'none'}.`,
      [operation.id],
    )
  }
  const { sizeField: _sizeField, ...end } = pages.end ?? {}
  for (const path of [
    ...membersIn(pages.next),
    ...(pages.after === undefined ? [] : [pages.after]),
    ...Object.values(end),
  ]) {
    checkPath(model, operation, path, 'pages')
  }
}

/** The members of a response that name the next page. */
function membersIn(next: NextPage): string[] {
  return typeof next === 'string'
    ? []
    : 'cursor' in next
      ? [next.cursor, ...(next.while === undefined ? [] : [next.while])]
      : 'url' in next
        ? [next.url]
        : next.while === undefined
          ? []
          : [next.while]
}

function checkPath(model: Model, operation: Operation, path: string, what: string): void {
  const known = findMember(model, operation, path)
  if (known !== undefined) {
    throw new OpenApiError(
      `The configuration says that "${path}" is in the response of ${operation.id} (${what}), which has no such member. It has: ${known.join(', ') || 'none'}.`,
      [operation.id],
    )
  }
}

/** The names that the response has instead of one that is missing; `undefined` if the path is there, or if nothing is known. */
function findMember(model: Model, { response }: Operation, path: string): readonly string[] | undefined {
  let at = response.schema
  for (const name of path.split('.')) {
    const view = at && model.view(at)
    if (at !== undefined && view === undefined) {
      return model.options(at).length > 1 ? undefined : []
    }
    const member = view?.properties.get(name)
    if (view === undefined || (member === undefined && !view.additional)) {
      return [...(view?.properties.keys() ?? [])]
    }
    if (member === undefined) {
      return undefined
    }
    at = member
  }
  return undefined
}

/** The known name that is most like a wrong one. */
export function suggest(wrong: string, known: readonly string[]): string {
  const best = known
    .map((name) => ({ name, distance: distanceOf(wrong.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  return best !== undefined && best.distance <= Math.max(2, wrong.length / 3) ? ` Did you mean "${best.name}"?` : ''
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
