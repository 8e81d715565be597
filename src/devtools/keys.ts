import { h } from './dom.ts'

/** `[Todo] {"group":"a"}`: the name of a list, alone or in a sentence. */
const LIST = /[[{]([^\s[\]{}]+)[\]}] (\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})/g
/** Where a name may be cut: after these. A parameter of a query stays whole. */
const SEPARATOR = /[/?&,;:)\] -]/
/** The length of a key in a sentence. */
const MOST_KEY = 56

/** A key without the origin, which is nearly always the same. */
export function shortKey(key: string): string {
  return key.replace(/(?<= )https?:\/\/[^/\s]+/g, '')
}

/** A text with keys and names of lists, as people read it. */
export function readable(text: string): string {
  if (/^[[{][^\s[\]{}]+[\]}]$/.test(text)) {
    return `${kindOf(text)} list`
  }
  return shortKey(text).replace(LIST, (whole, kind: string, args: string) => listLabel(kind, args) ?? whole)
}

/** A key for a sentence. Of a long one the path is left, and the last parameters. */
export function cutKey(key: string): string {
  if (key.length <= MOST_KEY || !/^[A-Z]+ \//.test(key)) {
    return key
  }
  const head = key.slice(0, Math.min(key.indexOf('?') + 1 || MOST_KEY, MOST_KEY / 2))
  const rest = key.slice(head.length - MOST_KEY)
  return `${head}…${rest.slice(rest.indexOf('&') + 1)}`
}

function listLabel(kind: string, text: string): string | undefined {
  try {
    const args = argsText(JSON.parse(text) as object)
    return `${kind.replaceAll(';', ' or ')} list${args && ` (${args})`}`
  } catch {
    return undefined
  }
}

/** The kind of the rows of a table: `Todo` for `Todo` and `[Todo]`. */
export function kindOf(tableKey: string): string {
  return tableKey.replace(/^[[{]|[\]}]$/g, '').replaceAll(';', ' or ')
}

/** Arguments as people write them: `status todo, project 1`. */
export function argsText(args: object): string {
  return Object.entries(args)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ')
}

/** From where each key differs from those that are most like it. */
export function findDifferences(keys: readonly string[]): Map<string, number> {
  const sorted = [...new Set(keys)].sort()
  const shared = sorted.map((key, index) => commonLength(key, sorted[index + 1] ?? ''))
  return new Map(sorted.map((key, index) => [key, boundary(key, Math.max(shared[index]!, shared[index - 1] ?? 0))]))
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) {
    length++
  }
  return length
}

/** The beginning of the word that is at an index; keys that are equal to their end are cut before their last word. */
function boundary(key: string, index: number): number {
  let at = Math.min(index, key.length - 1)
  while (at > 0 && !SEPARATOR.test(key[at - 1]!)) {
    at--
  }
  return at
}

/** A key on one line. If it is too long it is cut before the part that differs from others, not at its end. */
export function keyCell(key: string, differsAt: number = boundary(key, key.length)): HTMLElement {
  return h(
    'span',
    { class: 'main mono key', title: key },
    differsAt > 0 && h('span', { class: 'keyHead', text: key.slice(0, differsAt) }),
    h('span', { class: 'keyTail', text: key.slice(differsAt) }),
  )
}

/** Compares names as people do: `Todo 9` comes before `Todo 10`. */
export function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** `1 row`, `2 rows`. */
export function plural(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}
