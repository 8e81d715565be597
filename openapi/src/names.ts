import { OpenApiError } from './errors.ts'

/** Names are taken apart again and again. */
const known = new Map<string, readonly string[]>()

/** The words of a name: `simpleUser`, `simple-user` and `SimpleUser` have the same. */
export function wordsOf(name: string): readonly string[] {
  let words = known.get(name)
  if (words === undefined) {
    words = splitName(name)
    known.set(name, words)
  }
  return words
}

function splitName(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `simple-user` as the name of a class: `SimpleUser`. */
export function pascalCase(name: string): string {
  const text = wordsOf(name)
    .map((word) => capital(word === word.toUpperCase() ? word.toLowerCase() : word))
    .join('')
  return /^\p{L}/u.test(text) ? text : `_${text}`
}

/** `list-for-repo` as the name of a value: `listForRepo`. */
export function camelCase(name: string): string {
  const text = pascalCase(name)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A name without case and separators, to compare names of different styles. */
export function flatName(name: string): string {
  return wordsOf(name).join('').toLowerCase()
}

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  data: 'data',
  media: 'media',
  movies: 'movie',
  news: 'news',
  series: 'series',
  shelves: 'shelf',
  statuses: 'status',
  indices: 'index',
  caches: 'cache',
  licenses: 'license',
  databases: 'database',
  releases: 'release',
  purchases: 'purchase',
  aliases: 'alias',
}

/** One of several: `issues` is `issue`. */
export function singular(word: string): string {
  const lower = word.toLowerCase()
  const irregular = IRREGULAR[lower]
  if (irregular !== undefined) {
    return word.charAt(0) === lower.charAt(0) ? irregular : capital(irregular)
  }
  if (/ies$/i.test(word) && word.length > 4) {
    return `${word.slice(0, -3)}y`
  }
  if (/(?:s|x|z|ch|sh)es$/i.test(word) && !/(?:ses|zes)$/i.test(word)) {
    return word.slice(0, -2)
  }
  if (/sses$/i.test(word)) {
    return word.slice(0, -2)
  }
  return /[^sui]s$/i.test(word) ? word.slice(0, -1) : word
}

const NO_LIST =
  /^(?:find|get|list|search|query|filter|create|update|delete|add|remove|set|send|resend|generate|validate|verify|convert|calculate|import|sync|by|with|for)$/i

/** True if a name is a plural, `comments`, and says nothing to do: `findByTags`. */
export function isPlural(name: string): boolean {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  return singular(last) !== last && !words.some((word) => NO_LIST.test(word))
}

/** The last word of a name in singular. */
export function singularName(name: string): string {
  const words = [...wordsOf(name)]
  const last = words.pop() ?? ''
  return [...words, singular(last)].join('-')
}

/** Gives each thing a name of its own: a second `User` becomes `User2`. */
export class Names {
  readonly #taken: Set<string>

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved)
  }

  reserve(name: string): void {
    this.#taken.add(name)
  }

  /** Takes a name that the configuration gives to a thing. */
  takeGiven(name: string, thing: string): string {
    if (this.#taken.has(name)) {
      throw new OpenApiError(
        `The configuration names ${thing} "${name}", which is the name of something else. Use another one.`,
      )
    }
    return this.take(name)
  }

  take(wanted: string, ...others: string[]): string {
    const candidates = [wanted, ...others]
    const last = candidates.at(-1)!
    let name = candidates.find((candidate) => !this.#taken.has(candidate))
    for (let count = 2; name === undefined; count++) {
      name = this.#taken.has(`${last}${count}`) ? undefined : `${last}${count}`
    }
    this.#taken.add(name)
    return name
  }
}

/** Names that generated files use for other things. */
export const RESERVED_TYPES: readonly string[] = list(`
  Api Array Blob Boolean Collection Date Entity EntityOr FormApi FormData Headers HeadersInit Invalidate Number Object Omit
  Promise Record RequestInit Response RestEndpoint RestGenerics StandardSchemaV1 String Typed Union URL URLSearchParams Values WeakMap`)

/** Words that cannot be the name of a constant, and names that generated files import. */
export const RESERVED_VALUES: readonly string[] = list(`
  arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally
  for function if implements import in instanceof interface let new null package private protected public return static super
  switch this throw true try typeof undefined var void while with yield
  firstOf keepLink nextArgs nextLink nextOffset nextPage queryOf resource searchOf textAt typed unwrap validators without`)

function list(words: string): string[] {
  return words.trim().split(/\s+/)
}

/** Several: `pet` is `pets`. */
export function plural(word: string): string {
  if (singular(word) !== word || /\d$/.test(word)) {
    return word
  }
  if (/[^aeiou]y$/i.test(word)) {
    return `${word.slice(0, -1)}ies`
  }
  return /(?:s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`
}

/** `io.k8s.api.core.v1.Pod` is `core.v1.Pod`: the beginning of such names is the same everywhere. */
export function shortName(name: string): string {
  const parts = name.split('.')
  return parts.length > 3 ? parts.slice(-3).join('.') : name
}

/** True for a part of a path that names no thing: `api`, `v2`, `v1beta1`, `1.1`, `2024-01`. */
export function isVersion(part: string): boolean {
  return /^(?:apis?|rest|v\d.*|\d+(?:[._-]\d+)*)$/i.test(part)
}

/**
 * `/orgs/{org}/teams` is `OrgTeams`, and `/orgs/teams` is `OrgsTeams`: one of them, or all. Parts that name no thing, such as `/api/v1`, do
 * not count.
 */
export function pathName(collection: string, one: (part: string) => string = singularName): string {
  const segments = collection.split('/')
  const parts = segments.flatMap((part, index) =>
    part === '' || /[{}]/.test(part) || isVersion(part)
      ? []
      : [segments[index + 1]?.startsWith('{') ? one(part) : part],
  )
  const words = wordsOf(segments.findLast((part) => part !== '' && !part.startsWith('{')) ?? 'items')
  // `/user/following` and `/user/starred` have no plural.
  const isMany = words.some(isPlural) || /(?:ing|ed|^by)$/.test(words.at(-1) ?? '')
  const many = isMany ? words : [...words.slice(0, -1), plural(words.at(-1) ?? 'items')]
  return pascalCase([...parts.slice(0, -1), ...many].join('-'))
}
