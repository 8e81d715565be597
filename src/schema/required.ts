import type { RecordClass } from './RecordClass.ts'

const known = /* @__PURE__ */ new WeakMap<object, readonly string[]>()

/** Fields that a class declares. A function among them is a method, and comes from nowhere. */
export function declaredFields(Class: RecordClass): readonly string[] {
  let names = known.get(Class)
  if (names === undefined) {
    const defaults = Class.defaults as Record<string, unknown>
    names = Object.keys(defaults).filter((name) => typeof defaults[name] !== 'function')
    known.set(Class, names)
  }
  return names
}

/** True where a record has every field that its class declares, or names in `static required`. */
export function isWholeRecord(Class: RecordClass | undefined, record: object | undefined): boolean {
  const names = Class && (Class.required ?? declaredFields(Class))
  return record !== undefined && names?.every((name) => Object.hasOwn(record, name)) === true
}
