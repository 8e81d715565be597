import type { Problem } from '../resources/api.ts'

/** What the server says about each field, as a sentence; `undefined` where the failure is about something else. */
export function fieldErrors(error: Error | undefined): Record<string, string> | undefined {
  const { fields } = (error ?? {}) as Partial<Problem>
  return fields && Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, `${toTitle(name)} ${text}.`]))
}

function toTitle(name: string): string {
  return name === 'email' ? 'E-mail' : name[0]!.toUpperCase() + name.slice(1)
}
