import type { Clock } from '../base/clock.ts'

// The body of a failed response may be anything, and reading it may not hide the failure.

/** Characters that are kept of a body, and milliseconds that it may take to arrive. */
const LIMIT = 65_536
const WAIT = 1_000

/**
 * The body of a failed response: parsed JSON, else text, else `undefined`. Reads a copy, so that the response can still
 * be read. Never rejects: of a body that breaks off, hangs or is huge it takes the beginning.
 */
export async function readErrorBody(
  response: Response,
  // Not every platform has timers.
  clock: Partial<Pick<Clock, 'setTimeout' | 'clearTimeout'>> = globalThis,
): Promise<unknown> {
  let text = ''
  let timer: unknown
  const read = async (): Promise<void> => {
    const copy = response.clone()
    // React Native has no streams.
    const reader = copy.body?.getReader?.()
    if (!reader) {
      text = await copy.text()
      return
    }
    const decoder = new TextDecoder()
    for (let chunk; text.length < LIMIT && !(chunk = await reader.read()).done;) {
      text += decoder.decode(chunk.value, { stream: true })
    }
    await reader.cancel()
  }
  await Promise.race([
    // Mocks may have no body, and a body may have been read already.
    read().catch(() => {}),
    new Promise((resolve) => (timer = clock.setTimeout?.(resolve as () => void, WAIT))),
  ])
  clock.clearTimeout?.(timer)
  return parseErrorBody(text)
}

/** JSON where the text is a JSON object or array, else the text, cut to a length that can be kept. */
export function parseErrorBody(text: string): unknown {
  if (text.length <= LIMIT) {
    try {
      const body: unknown = JSON.parse(text)
      if (typeof body === 'object' && body !== null) {
        return body
      }
    } catch {
      // Plain text, or JSON that broke off.
    }
  }
  return text.slice(0, LIMIT) || undefined
}

/** The message for people: from the body, else the status and its text. */
export function describeFailure({ status, statusText }: Response, body: unknown): string {
  return findMessage(body) ?? (statusText ? `${status} ${statusText}` : `Status ${status}`)
}

/** Members of bodies that hold a message, the most telling first: a `title` may be a field of the record. */
const NAMES = ['detail', 'message', 'error', 'errors', 'title']

function findMessage(body: any, depth = 0): string | undefined {
  if (typeof body === 'string') {
    return depth > 0 && body.trim() ? body.slice(0, 500) : undefined
  }
  if (typeof body !== 'object' || body === null || depth > 3) {
    return undefined
  }
  for (const name of Array.isArray(body) ? ['0'] : NAMES) {
    const part: unknown = Object.hasOwn(body as object, name) ? body[name] : undefined
    // A map of messages by field is no sentence.
    const found = name === 'errors' && !Array.isArray(part) ? undefined : findMessage(part, depth + 1)
    if (found) {
      return found
    }
  }
  return undefined
}
