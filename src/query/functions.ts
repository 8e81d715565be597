import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import type { RecordClass } from '../schema/RecordClass.ts'

/** A function of a record and the arguments of the query. */
export type Run = (record: any, ...args: any[]) => any

/** One identifier, or the members of one object without defaults: a function with these parameters cannot see a second argument. */
const ONE_PARAMETER = /^(?:function\s*[\w$]*\s*)?\(?\s*(?:[\w$]*|\{[^{}()=]*\})\s*\)?\s*(?:=>|\{)/
/** The beginning of a function, up to its first parameter: a name, or members of an object. */
const FIRST_PARAMETER = /^(?:function\s*\w*)?\s*\(?\s*(?:(\w+)|\{([\w\s,:]*)\})\s*(?:[,)]|=>)/
/** Other ways to the parameters. */
const HIDDEN = /\\u|\b(?:arguments|eval|this)\b|\[native code\]/
const MEMBER = /^\s*\??\.\s*([\w$]+)(?![\w$\u0080-\uffff])/

/** An operator got something else than a function. */
export function noFunction(name: string, given: unknown): Error {
  return fail(
    'query-function',
    name,
    DEV && `${name}() needs a function of one record, such as (todo) => todo.title, but got ${show(given)}.`,
    TypeError,
  )
}

/**
 * False for a function that cannot see the arguments of a query.
 *
 * @param name the operator that it was given to
 */
export function usesArgs(run: Run, name: string): boolean {
  if (typeof run !== 'function') {
    throw noFunction(name, run)
  }
  const text = String(run)
  return run.length > 1 || !ONE_PARAMETER.test(text) || HIDDEN.test(text)
}

/** The names of all members that functions read of a record, where their texts show that; `undefined` where one may do more with it. */
export function membersOf(runs: readonly Run[]): readonly string[] | undefined {
  const names: (string | undefined)[] = []
  for (const run of runs) {
    const text = String(run)
    const [start, name, members] = FIRST_PARAMETER.exec(text) ?? []
    if (start === undefined || HIDDEN.test(text)) {
      return undefined
    }
    if (name !== undefined) {
      const uses = text.slice(start.length).split(new RegExp(`\\b${name}\\b`))
      names.push(...uses.slice(1).map((use) => MEMBER.exec(use)?.[1]))
    } else {
      names.push(...members!.split(',').flatMap((one) => one.split(':')[0]!.trim() || []))
    }
  }
  return names.includes(undefined) ? undefined : (names as string[])
}

/** True where these members of the records of a class stand in their rows: neither relations nor converted fields, getters or methods. */
export function areFields({ defaults, prototype, schema }: RecordClass, members: readonly string[]): boolean {
  return members.every(
    (name) =>
      !(name in schema) && !(name in (prototype as object)) && !Object.getOwnPropertyDescriptor(defaults, name)?.get,
  )
}
