import type { Context } from 'hono'
import type { Db } from './db.ts'
import { invalid, Problem } from './problem.ts'

/** Gives the value as the program uses it, or throws a `Complaint` that reads on after the field's name. */
export type Check<T> = (value: unknown) => T
type Shape = Record<string, Check<unknown>>
type Read<S extends Shape> = { [K in keyof S]?: ReturnType<S[K]> }

export class Complaint extends Error {}

/** Takes the known fields of `input` and names every one that is wrong, missing or not known. */
export function readFields<S extends Shape>(
  input: unknown,
  shape: S,
  { required = [], ignored = [] }: { required?: (keyof S & string)[]; ignored?: readonly string[] } = {},
): Read<S> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Problem(422, 'The body must be a JSON object.')
  }
  const problems = new Map<string, string>()
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(input)) {
    const check = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!check) {
      if (!ignored.includes(name)) {
        problems.set(name.slice(0, 50), 'is not known here')
      }
      continue
    }
    try {
      fields.set(name, check(value))
    } catch (error) {
      if (!(error instanceof Complaint)) {
        throw error
      }
      problems.set(name, error.message)
    }
    if (problems.size > 20) {
      break
    }
  }
  for (const name of required) {
    if (!fields.has(name) && !problems.has(name)) {
      problems.set(name, 'is required')
    }
  }
  if (problems.size > 0) {
    throw invalid(Object.fromEntries(problems))
  }
  return Object.fromEntries(fields) as Read<S>
}

/** The parameters of the query; an empty one counts as left out. */
export function readQuery<S extends Shape>(c: Context, shape: S): Read<S> {
  const given = Object.entries(c.req.query()).filter(([, value]) => value !== '')
  return readFields(Object.fromEntries(given), shape)
}

export async function readJson(c: Context): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new Problem(415, 'The body must be application/json.')
  }
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'The body is not JSON.')
  }
}

/** The number in a path; what is no number names nothing. */
export function readId(c: Context, name = 'id'): number {
  const text = c.req.param(name) ?? ''
  if (!ID.test(text)) {
    throw new Problem(404, 'There is nothing here.')
  }
  return Number(text)
}

export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Problem(404, `There is no such ${what}.`)
  }
  return value
}

const ID = /^[1-9]\d{0,14}$/

export function text(min: number, max: number): Check<string> {
  return (value) => {
    const trimmed = typeof value === 'string' ? value.trim() : undefined
    if (trimmed === undefined) {
      throw new Complaint('must be a text')
    }
    if (trimmed.length < min) {
      throw new Complaint('must not be empty')
    }
    if (trimmed.length > max) {
      throw new Complaint(`must have at most ${max} characters`)
    }
    // SQLite ends a text at NUL, and half a surrogate pair would come back as another character.
    if (trimmed.includes('\0') || /\p{Surrogate}/u.test(trimmed)) {
      throw new Complaint('has a character that cannot be stored')
    }
    return trimmed
  }
}

export function oneOf<const T extends string>(...names: readonly T[]): Check<T> {
  return (value) => {
    if (!names.includes(value as T)) {
      throw new Complaint(`must be one of ${names.join(', ')}`)
    }
    return value as T
  }
}

export function number(min: number, max: number): Check<number> {
  return (value) => {
    if (typeof value !== 'number' || !(value >= min && value <= max)) {
      throw new Complaint(`must be a number from ${min} to ${max}`)
    }
    return value
  }
}

export function integer(min: number, max: number): Check<number> {
  return (value) => {
    if (!Number.isInteger(value)) {
      throw new Complaint(`must be a whole number from ${min} to ${max}`)
    }
    return number(min, max)(value)
  }
}

export function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new Complaint('must be true or false')
  }
  return value
}

/** A whole number in a query. */
export function digits(min: number, max: number): Check<number> {
  return (value) => integer(min, max)(typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value)
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value))
}

export function date(value: unknown): string {
  // A day that does not exist, as the 31st of June, comes back as another one.
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || toDay(value) !== value) {
    throw new Complaint('must be a day like 2026-12-24')
  }
  return value
}

function toDay(value: string): string | undefined {
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}

export function email(value: unknown): string {
  const address = text(3, 100)(value).toLowerCase()
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) {
    throw new Complaint('must be an address like mia@example.com')
  }
  return address
}

export function color(value: unknown): string {
  if (typeof value !== 'string' || !/^#[\da-f]{6}$/i.test(value)) {
    throw new Complaint('must be a colour like #3b82f6')
  }
  return value.toLowerCase()
}

/** The id of a row that exists. */
export function idOf(db: Db, table: 'people' | 'projects' | 'labels'): Check<number> {
  return (value) => {
    if (typeof value !== 'string' || !ID.test(value) || !db.get(`SELECT 1 FROM ${table} WHERE id = ?`, Number(value))) {
      throw new Complaint(`must be the id of one of the ${table}`)
    }
    return Number(value)
  }
}

export function listOf<T>(check: Check<T>, max: number): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > max) {
      throw new Complaint(`must be a list of at most ${max}`)
    }
    return [...new Set(value.map((item) => check(item)))]
  }
}
