import type { Config, NextPage, PagesConfig } from './config.ts'
import { OpenApiError } from './errors.ts'
import { memberPath, viewsOf } from './memberPath.ts'
import { type Model } from './Model.ts'
import type { Operation } from './readOperations.ts'
import { suggest } from './suggest.ts'

/** Refuses a configuration that names what the description does not have. */
export function checkConfig(model: Model, operations: readonly Operation[], config: Config): void {
  const ids = operations.flatMap(({ id, operationId }) => (operationId === undefined ? [id] : [operationId, id]))
  const byId = new Map(operations.flatMap((own) => [[own.id, own] as const, [own.operationId ?? own.id, own] as const]))
  for (const [name, own] of Object.entries(config.operations ?? {})) {
    const operation = byId.get(name)
    if (operation === undefined) {
      throw new OpenApiError(
        `The configuration names an operation "${name}", which the description does not have. Use its operationId, or method and path: "GET /pets/{petId}".${suggest(name, ids)}`,
      )
    }
    if (own && own.pages) {
      checkPages(model, operation, own.pages)
    }
    if (own && typeof own.envelope === 'string') {
      checkPath(model, operation, own.envelope, 'envelope')
      if (isPlain(model, operation, own.envelope)) {
        throw new OpenApiError(
          `The configuration says that "${own.envelope}" is the envelope of ${operation.id}, and it holds no record and no list. Name the member that does.`,
          [operation.id],
        )
      }
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
  const params = [
    ...new Set(places.flatMap((place) => [...place.matchAll(/\{([^{}/]+)\}/g)].map(([, param]) => param!))),
  ]
  for (const [name, own] of Object.entries(config.entities ?? {})) {
    const scope = own ? own.scope?.find((param) => !params.includes(param)) : undefined
    if (scope !== undefined) {
      throw new OpenApiError(
        `The configuration says that the parameter "${scope}" belongs to the key of "${name}", and no path has it.${suggest(scope, params)}`,
        [`#/components/schemas/${name}`],
      )
    }
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const tag = config.skipTags?.find((name) => !tags.includes(name))
  if (tag !== undefined) {
    throw new OpenApiError(`The configuration skips the tag "${tag}", which no operation has.${suggest(tag, tags)}`)
  }
  const { pages, envelope } = config
  if (pages) {
    if (pages.field !== undefined && !operations.some(({ query }) => query.some(({ name }) => name === pages.field))) {
      const names = [...new Set(operations.flatMap(({ query }) => query.map(({ name }) => name)))]
      throw new OpenApiError(
        `The configuration says that "${pages.field}" is the page of lists, and no operation has such a parameter.${suggest(pages.field, names)}`,
      )
    }
  }
  const lost = pages
    ? pathsIn(pages).find((path) => operations.every((operation) => findMember(model, operation, path) !== undefined))
    : undefined
  if (lost !== undefined) {
    throw new OpenApiError(
      `The configuration says that "${lost}" tells the pages of lists, and no response has such a member.`,
    )
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

function checkPages(model: Model, operation: Operation, pages: PagesConfig): void {
  const names = operation.query.map(({ name }) => name)
  if (pages.field !== undefined && !names.includes(pages.field)) {
    throw new OpenApiError(
      `The configuration says that "${pages.field}" is the page of ${operation.id}, which has no such parameter. It has: ${names.join(', ') || 'none'}.`,
      [operation.id],
    )
  }
  const size = pages.end?.sizeField?.field
  if (size !== undefined && !names.includes(size)) {
    throw new OpenApiError(
      `The configuration says that "${size}" is the size of the pages of ${operation.id}, which has no such parameter. It has: ${names.join(', ')}.`,
      [operation.id],
    )
  }
  for (const path of pathsIn(pages)) {
    checkPath(model, operation, path, 'pages')
  }
}

/** The members of a response that a description of pages names. */
function pathsIn({ next, after, end: { sizeField: _, ...end } = {} }: PagesConfig): string[] {
  return [...membersIn(next), ...(after === undefined ? [] : [after]), ...Object.values(end)]
}

/** True for a member that is a text or a number. */
function isPlain(model: Model, { response }: Operation, path: string): boolean {
  let at = response.schema
  for (const name of memberPath(model, at, path)) {
    at = at && viewsOf(model, at).flatMap(({ properties }) => properties.get(name) ?? [])[0]
  }
  return at !== undefined && model.isScalar(at)
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
  for (const name of memberPath(model, at, path)) {
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
