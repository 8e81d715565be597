import type { Problem } from '../resources/api.ts'

/** The server's message for each field, as a sentence; `undefined` if the failure is not about fields. */
export function fieldErrors(error: Error | undefined): Record<string, string> | undefined {
  const { fields } = (error ?? {}) as Partial<Problem>
  return fields && Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, `${toTitle(name)} ${text}.`]))
}

function toTitle(name: string): string {
  return name === 'email' ? 'E-mail' : name[0]!.toUpperCase() + name.slice(1)
}
