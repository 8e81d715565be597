import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import type { RecordClass } from './RecordClass.ts'

/** The key was written down on a class that both are or descend from, or on the one that extends the other. */
export function mayShare(a: object, b: object): boolean {
  const extendsOwner = (child: object, parent: object): boolean => {
    const owner = keyOwner(parent) ?? (keyOwner(child) && parent)
    return owner !== undefined && descends(child, owner)
  }
  return extendsOwner(a, b) || extendsOwner(b, a)
}

function descends(Class: object, from: object): boolean {
  return Class === from || Object.prototype.isPrototypeOf.call(from, Class)
}

/** The class on which the key was written down; Entity has a getter. */
export function keyOwner(Class: object): object | undefined {
  for (let at: object | null = Class; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const own = Object.getOwnPropertyDescriptor(at, 'key')
    if (own !== undefined) {
      return own.get === undefined ? at : undefined
    }
  }
  return undefined
}

/** Classes without `static key`, in development. */
const keyless = new Set<string>()

/** Warns of a key that minifying changes: in development once, with the first classes that are used. */
export function warnKeyless(name: string): void {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    const warn = (names: string): void => {
      const text = `Classes without "static key": ${names}. A production build may shorten class names, and the key of their records with them, so that two classes meet and saved data is not found again. Write the key down: static key = '${name}'.`
      warnOnce(fail('entity-mangled', `no static key: ${names}`, text).message)
    }
    if (keyless.size === 0) {
      void Promise.resolve().then(() => warn([...keyless].join(', ')))
    }
    keyless.add(name)
  }
}

export function taken(Class: RecordClass, first: RecordClass): Error {
  return fail(
    'entity-key-taken',
    `${Class.key}: ${first.name}, ${Class.name}`,
    DEV &&
      `Two classes, "${first.name}" and "${Class.name}", want the table "${Class.key}". Give one of them another \`static key\`; to share a table, write the key on a common parent.`,
  )
}

/** The key of a class, which has to be a text: development looks. */
export function checkKey(key: unknown): string {
  if (DEV && (typeof key !== 'string' || key === '')) {
    throw fail(
      'entity-no-key',
      'Entity',
      'Entity classes without a name must define `static key`. It names the table of their records.',
    )
  }
  return key as string
}
