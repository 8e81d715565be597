/** The message of a failed response for people: from the body, else the status and its text. */
export function describeFailure({ status, statusText }: Response, body: unknown): string {
  return findMessage(body) ?? (statusText ? `${status} ${statusText}` : `Status ${status}`)
}

/** The first text in the members of a body that hold messages. A `title` comes last: it may be a field of the record. */
function findMessage(body: any): string | undefined {
  const { detail, message, error, errors, title } = Object(body)
  // A map of messages by field is no sentence.
  const parts: any[] = Array.isArray(body)
    ? [body[0]]
    : [detail, message, error, Array.isArray(errors) && errors, title]
  for (const part of parts) {
    const found = typeof part === 'string' ? part.trim().slice(0, 500) : part && findMessage(part)
    if (found) {
      return found
    }
  }
  return undefined
}
