/** The message of a failed response for people: from the body, else the status and its text. */
export function describeFailure({ status, statusText }: Response, body: unknown): string {
  return findMessage(body) ?? (statusText ? `${status} ${statusText}` : `Status ${status}`)
}

/** Levels of a body that are searched: one that nests thousands of them must not hide the failure. */
const DEEPEST = 4

/** The first text in the members of a body that hold messages. A `title` comes last: it may be a field of the record. */
function findMessage(body: any, depth = 1): string | undefined {
  const { detail, message, error, errors, title } = Object(body)
  // A map of messages by field is no sentence.
  const parts: any[] = Array.isArray(body)
    ? [body[0]]
    : [detail, message, error, Array.isArray(errors) && errors, title]
  for (const part of parts) {
    const found =
      typeof part === 'string' ? part.trim().slice(0, 500) : part && depth < DEEPEST && findMessage(part, depth + 1)
    if (found) {
      return found
    }
  }
  return undefined
}
