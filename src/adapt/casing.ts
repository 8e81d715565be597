import { isPlain, put } from '../base/equal.ts'

/**
 * How the server writes names, if some of them are exceptions.
 *
 * @example
 * const casing: CasingOptions = { style: 'snake', names: { iosURL: 'ios_url' }, except: ['labels'] }
 * @see docs/api/adaptEndpoint.md#casingoptions
 */
export interface CasingOptions {
  readonly style: 'snake'
  /** Names that do not follow the rule: the name in the app, and the name on the server. */
  readonly names?: { readonly [name: string]: string } | undefined
  /** Fields whose value is data: names inside it stay as they are. */
  readonly except?: readonly string[] | undefined
}

/** Renames members in both directions, at any depth. */
export interface Casing {
  readonly toApp: (name: string) => string
  readonly toServer: (name: string) => string
  rename(value: unknown, change: (name: string) => string): unknown
}

/** Deeper than this, values stay as they are: a stack has an end. */
const DEEPEST = 500

export function createCasing({ names = {}, except = [] }: Omit<CasingOptions, 'style'>): Casing {
  const there = new Map(Object.entries(names))
  const here = new Map(Object.entries(names).map(([name, other]) => [other, name]))
  const toApp = (name: string): string => here.get(name) ?? toCamel(name)
  const toServer = (name: string): string => there.get(name) ?? toSnake(name)
  // Under either name: the list is checked in both directions.
  const data = new Set(except.flatMap((name) => [toApp(name), toServer(name)]))
  const rename = (value: unknown, change: (name: string) => string, depth = 0): unknown => {
    if (!isPlain(value) || depth > DEEPEST) {
      return isForm(value) ? renameForm(value, change) : value
    }
    if (Array.isArray(value)) {
      return value.map((item) => rename(item, change, depth + 1))
    }
    const renamed = {}
    for (const [name, member] of Object.entries(value)) {
      put(renamed, change(name), data.has(name) ? member : rename(member, change, depth + 1))
    }
    return renamed
  }
  return { toApp, toServer, rename }
}

/**
 * `due_at` becomes `dueAt`. Underscores at the beginning and before a digit stay, so that the way back leads to the same name.
 */
function toCamel(name: string): string {
  return name.replace(/_([a-z])/g, (found, letter: string, at: number) =>
    /^_*$/.test(name.slice(0, at)) ? found : letter.toUpperCase(),
  )
}

/** `dueAt` becomes `due_at`. A name that begins with a capital letter, such as `USD`, is data. */
function toSnake(name: string): string {
  return /^[A-Z]/.test(name) ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isForm(value: unknown): value is FormData | URLSearchParams {
  return (
    (typeof FormData !== 'undefined' && value instanceof FormData) ||
    (typeof URLSearchParams !== 'undefined' && value instanceof URLSearchParams)
  )
}

function renameForm(form: FormData | URLSearchParams, change: (name: string) => string): FormData | URLSearchParams {
  const renamed = form instanceof FormData ? new FormData() : new URLSearchParams()
  form.forEach((value, name) => (renamed as FormData).append(change(name), value as string))
  return renamed
}
