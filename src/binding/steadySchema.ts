import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import { isEndpoint, type Target } from '../requests/Reading.ts'
import { isSchemaClass } from '../schema/Schema.ts'

const met = /* @__PURE__ */ new WeakSet<object>()

/** The schema that a hook has read last, and how often it was created again. */
export interface SchemaMemory {
  current?: { readonly last: object; readonly times: number } | undefined
}

/** Warns about a schema that is created at each render: the values read through the last one are lost. */
export function checkSchema(memory: SchemaMemory, target: Target): void {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    const schema: unknown = isEndpoint(target) ? target.schema : target
    const { last, times } = memory.current ?? {}
    if (!isSchemaClass(schema) || schema === last) {
      return
    }
    const isAnother = !last || met.has(schema) || describe(last) !== describe(schema)
    met.add(schema)
    const count = isAnother ? 0 : times! + 1
    memory.current = { last: schema, times: count }
    if (count === 2) {
      warnOnce(
        `A ${schema.constructor.name} is created at each render, so its values cannot be kept. Create it once, outside of the component, or in useMemo().`,
      )
    }
  }
}

function describe(schema: object): string {
  return `${schema.constructor.name} ${(schema as { process?: unknown }).process}`
}
