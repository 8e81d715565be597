/** Fields as they go to the server: dates and the like as text, as the response will have them, and without `undefined`. */
export function sent(fields: object): object {
  const text = (value: any): unknown => (typeof value?.toJSON === 'function' ? value.toJSON() : value)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])),
  )
}

/** Objects that were made of forms. */
const formObjects = /* @__PURE__ */ new WeakSet<object>()

/** A form as a plain object, for lists and pending operations. */
export function formObject(form: FormData): object {
  const fields = Object.fromEntries(form)
  formObjects.add(fields)
  return fields
}

export function isFormObject(fields: unknown): fields is object {
  return formObjects.has(fields as object)
}
