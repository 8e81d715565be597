import { DEV } from '../base/env.ts'
import { recall } from '../base/recall.ts'
import { show } from '../base/show.ts'
import { warnOnce } from '../base/warn.ts'
import type { RecordClass } from './RecordClass.ts'

/** How a value becomes one of the declared type. */
const CONVERTERS: Record<string, string> = { string: 'String', number: 'Number', boolean: 'Boolean', bigint: 'BigInt' }

/** For each class, the types of the fields that are compared: a field is removed after its warning. */
const compared = /* @__PURE__ */ new WeakMap<RecordClass, Map<string, string>>()

/** Warns of a field that is text where the class says number, or the other way round: its TypeScript type is wrong then. */
export function checkTypes(Class: RecordClass, fields: Record<string, unknown>, where: () => string): void {
  const types = DEV ? recall(compared, Class, declaredTypes) : []
  for (const [name, type] of types) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (DEV && typeof value !== type && (typeof value) in CONVERTERS) {
      compared.get(Class)!.delete(name)
      warnOnce(
        `"${name}" of ${Class.key} is declared as a ${type}, but it is the ${typeof value} ${show(value)}${where()}. Comparisons such as === and Set.has fail then. Convert it: static schema = { ${name}: ${CONVERTERS[type]} }. See docs/guide/mixed-ids.md.`,
      )
    }
  }
}

/** The fields whose default is text, a number or a boolean. Those in the schema are converted, or relations. */
function declaredTypes({ defaults, schema }: RecordClass): Map<string, string> {
  const names = Object.keys(defaults as object).filter((name) => !Object.hasOwn(schema, name))
  return new Map(
    names.map((name): [string, string] => [name, typeof defaults[name]]).filter(([, type]) => type in CONVERTERS),
  )
}
