import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { originOf } from './originOf.ts'

// Responses that are not JSON, or cannot be used.

/** Characters that are kept of a body, and milliseconds that it may take to arrive. */
const LIMIT = 65_536
const WAIT = 1_000

const TEXT_TYPE = /^text\/|\b(xml|html|javascript|css|csv|urlencoded|yaml|graphql|ndjson|jsonl|json-seq|sql|toml)\b/

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
    // Not awaited: a copy counts as cancelled when the response itself has been read or cancelled.
    reader.cancel().catch(() => {})
  }
  await Promise.race([
    // Mocks may have no body, and a body may have been read already.
    read().catch(() => {}),
    new Promise((resolve) => (timer = clock.setTimeout?.(resolve as () => void, WAIT))),
  ])
  clock.clearTimeout?.(timer)
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

/** Throws for an address whose origin is neither that of the request nor allowed; else it returns that origin. */
export function checkOrigin(
  url: string,
  input: string,
  allowed: readonly string[],
  method: string | undefined,
): string {
  const to = originOf(url)
  if ([input, ...allowed].some((other) => originOf(other) === to)) {
    return to
  }
  throw fail(
    'redirect-origin',
    `${input} to ${to}`,
    DEV &&
      `"${method ?? 'GET'} ${input}" was redirected to another origin, ${to}. If that is meant, name it: allowRedirectTo: ['${to}'].`,
    Error,
    { status: 400, refused: true },
  )
}

/**
 * The value of a response that is not JSON by its type: text or a Blob. Where a schema needs an object, JSON after all, or an error.
 *
 * @param text where it was read already
 * @param readAs reads the body
 * @param endpoint set where the schema needs an object
 * @param failed makes the error of the response
 */
export async function parseOther(
  type: string,
  text: string | undefined,
  readAs: (kind: 'blob' | 'text') => Promise<any>,
  endpoint: { readonly name: string; readonly schema?: any } | undefined,
  subject: string,
  failed: (body?: string) => Error,
): Promise<unknown> {
  const isBinary = type !== '' && !TEXT_TYPE.test(type)
  const value = text ?? (await readAs(isBinary ? 'blob' : 'text'))
  if (!(isBinary ? value.size : value)) {
    return null
  }
  if (!endpoint) {
    return value
  }
  const { name, schema } = endpoint
  const of = DEV && `schema ${schema.key ?? schema.name ?? schema.constructor.name}`
  if (isBinary) {
    throw refuse(
      failed(),
      'response-binary',
      subject,
      DEV &&
        `Unexpected binary content-type "${type}" for ${of}. Use "schema: undefined", or a process() that makes sense of it.`,
    )
  }
  try {
    const parsed: unknown = JSON.parse(value)
    if (typeof parsed !== 'string') {
      if (DEV) {
        warnOnce(
          `The response of "${name}" is JSON with the content-type "${type}". The server should send application/json.`,
        )
      }
      return parsed
    }
  } catch {
    // It is the text that it says it is.
  }
  throw refuse(
    failed(value.slice(0, LIMIT)),
    'response-text',
    subject,
    DEV &&
      `Unexpected ${type.includes('html') || /^\s*<(!doctype )?html/i.test(value) ? 'html' : 'text'} response for ${of}. Is the url right? It began with: ${value.slice(0, 300)}`,
    404,
  )
}

/** The error of a response whose status was fine, but whose content cannot be used. */
export function refuse<E extends Error>(
  error: E,
  code: string,
  subject: string,
  text: string | false,
  status = 400,
): E {
  return Object.assign(error, { code, status, refused: true, message: text || `${code}: ${subject}` })
}
