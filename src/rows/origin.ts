import type { Row } from '../rows/Row.ts'

// A base class that gives back what it is given: the fields of a class that extends it are added to that object.
const Same = function (value: object): object {
  return value
} as unknown as new (value: object) => object

/** A private member of whatever the store hands out: by it the store knows its own values again. It shows nowhere. */
class Origin extends Same {
  readonly #row: Row
  constructor(value: object, row: Row) {
    super(value)
    this.#row = row
  }
  static of(this: void, value: unknown): Row | undefined {
    return typeof value === 'object' && value !== null && #row in value ? value.#row : undefined
  }
}

/** Remembers from which row a value was made. */
export function markOrigin(value: object, row: Row): void {
  // The constructor adds its private member to the value it is given.
  // oxlint-disable-next-line no-new
  new Origin(value, row)
}

/** The row a handed-out instance or list was made from. */
export const originOf: (value: unknown) => Row | undefined = Origin.of

/** The results of converters, and their raw values: written back, a result counts as its raw value. */
export const rawValues: WeakMap<object, unknown> = new WeakMap()

/** The raw value from which a converter made a value; any other value itself. */
export function raw(value: unknown): unknown {
  return rawValues.has(value as object) ? rawValues.get(value as object) : value
}
