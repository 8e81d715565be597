import { isObject, put } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'

/** The primary key of a list: its key object as text, after its name. */
export function listPk({ name }: { readonly name: string | undefined }, key: Record<string, unknown>): string {
  const text = stableKey(key)
  return name === undefined ? text : `${name} ${text}`
}

/** The arguments as a list remembers them: numbers and booleans as text, since a URL knows nothing else. */
export function keyObject(args: unknown): Record<string, any> {
  const key: Record<string, any> = {}
  if (!isObject(args)) {
    return key
  }
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined) {
      put(key, name, typeof value === 'object' ? value : String(value))
    }
  }
  return key
}
