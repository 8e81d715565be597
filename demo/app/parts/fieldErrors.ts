import { fieldErrors as readFieldErrors } from 'restitch'

/** The server's message for each field, as a sentence; `undefined` if the failure is not about fields. */
export function fieldErrors(error: Error | undefined): Record<string, string> | undefined {
  // This server responds with `{ message, fields: { title: 'must not be empty' } }`.
  const found = readFieldErrors(error, (body) => body.fields && Object.entries(body.fields as Record<string, string>))
  const entries = Object.entries(found).map(([name, texts]) => [name, `${toTitle(name)} ${texts?.[0]}.`] as const)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function toTitle(name: string): string {
  return name === 'email' ? 'E-mail' : name[0]!.toUpperCase() + name.slice(1)
}
