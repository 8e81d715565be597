import type { Method } from './Description.ts'
import { camelCase, flatName, isVersion, pascalCase, singularName, wordsOf } from './names.ts'

/** The name of an operation, and whether a tool made it up from the path. */
export interface OperationName {
  readonly name: string
  /** `method`: a name of a class and a function, `ItemsController_archive`. `path`: it only repeats method and path. */
  readonly origin: 'person' | 'method' | 'path'
}

/** Words that tools add for a method. */
const VERBS: Readonly<Partial<Record<Method, readonly string[]>>> = {
  get: ['get', 'list', 'retrieve', 'read'],
  post: ['post', 'create'],
  put: ['put', 'update'],
  patch: ['patch', 'partialupdate', 'update'],
  delete: ['delete', 'destroy', 'remove'],
}
const CLASS = /^(\w*?[a-z\d](?:Controller|Resource|Api|Service|ViewSet|Handler))[_.]+(?=\w)/

/** `issues/list-for-repo` of the tag `issues` is `listForRepo`; without an id the method and the path make the name. */
export function nameOf(
  operationId: string | undefined,
  tag: string,
  method: Method,
  segments: readonly string[],
): OperationName {
  if (operationId === undefined || wordsOf(operationId).length === 0) {
    return { name: pathName(method, segments), origin: 'path' }
  }
  const own = withoutPath(operationId, method, segments)
  if (own === '' || repeatsPath(operationId, method, segments)) {
    return { name: camelCase(operationId), origin: 'path' }
  }
  const [prefix] = CLASS.exec(own) ?? []
  if (prefix !== undefined) {
    // `ItemsController_findOne_v1`, where the API has versions.
    return { name: camelCase(own.slice(prefix.length)), origin: 'method' }
  }
  const separator = /[/.:]|_(?=[A-Z])/.exec(own)
  const start = separator ? own.slice(0, separator.index) : ''
  const isTag = start !== '' && flatName(singularName(start)) === flatName(singularName(tag))
  const name = camelCase(isTag && separator ? own.slice(separator.index + 1) : own)
  return { name, origin: own === operationId ? 'person' : 'method' }
}

function pathName(method: Method, segments: readonly string[]): string {
  const named = segments.filter((segment) => !isVersion(segment))
  const parts = (named.length > 0 ? named : segments).map((segment) => {
    const [, param] = /^\{(.+)\}$/.exec(segment) ?? []
    return param === undefined ? segment : `by-${param}`
  })
  return camelCase([method, ...parts].join('-'))
}

/** FastAPI adds path and method: `archive_item_items__id__archive_post` is `archive_item`. */
function withoutPath(operationId: string, method: Method, segments: readonly string[]): string {
  const end = flatName([...segments, method].join('-'))
  const words = wordsOf(operationId)
  for (let count = words.length; count > 0; count--) {
    const tail = words
      .slice(words.length - count)
      .join('')
      .toLowerCase()
    if (tail.length < end.length) {
      break
    }
    if (tail === end && segments.length > 0) {
      return words.slice(0, words.length - count).join('_')
    }
  }
  return operationId
}

/** True for `items_archive_create` and `postItemsByIdArchive`. */
function repeatsPath(operationId: string, method: Method, segments: readonly string[]): boolean {
  const flat = flatName(operationId)
  const verbs = VERBS[method] ?? [method]
  const names = segments.filter((segment) => !segment.startsWith('{'))
  const params = segments.map((segment) => segment.replace(/^\{(.+)\}$/, '$1'))
  const by = segments.map((segment) => segment.replace(/^\{(.+)\}$/, 'by-$1'))
  // A path of one word is what a person says as well: `createPet`.
  return (
    segments.length > 1 &&
    verbs.some(
      (verb) =>
        [
          [...names, verb],
          [...params, verb],
          [verb, ...params],
          [verb, ...by],
        ].some((parts) => flatName(parts.join('-')) === flat) && names.length > 1,
    )
  )
}

/** The name of an operation as the member of a resource: `Items.archive`. */
export function memberName(
  {
    name,
    origin,
    method,
    segments,
  }: { name: string; origin: OperationName['origin']; method: Method; segments: readonly string[] },
  collection: string,
): string {
  const depth = collection.split('/').filter((part) => part !== '').length
  const subject = singularName(segments.slice(0, depth).findLast((segment) => !segment.startsWith('{')) ?? 'item')
  if (origin === 'method') {
    const noun = flatName(subject)
    const words = wordsOf(name).filter((word) => flatName(singularName(word)) !== noun)
    return words.length > 0 ? camelCase(words.join('-')) : name
  }
  if (origin === 'person') {
    return name
  }
  const rest = segments.slice(depth).filter((segment) => !segment.startsWith('{'))
  const own = pascalCase(rest.length > 0 ? rest.join('-') : subject)
  return method === 'post' && rest.length > 0 ? camelCase(own) : camelCase(`${method}-${own}`)
}
