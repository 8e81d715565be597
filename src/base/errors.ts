import { DEV } from './env.ts'
import type { StandardSchemaV1 } from './standardSchema.ts'

/** The members of every error that the library throws. */
export interface RestitchError extends Error {
  /** Stable name of the fault; it is also the anchor of its section in docs/errors.md. */
  readonly code: string
  /** The address of the section of docs/errors.md that explains the fault. */
  readonly page: string
  /** The matching HTTP status, for errors that end a request. */
  readonly status?: number
  /** The library rejected a response that arrived, or a body before it was sent. */
  readonly refused?: boolean
  /** The issues that a validator reported. */
  readonly issues?: readonly StandardSchemaV1.Issue[]
  /** The value that a validator refused. */
  readonly response?: unknown
}

/**
 * Makes an error of the library: `code: subject` in production, the whole text in development.
 * The text stands where it is thrown, behind `DEV`, so that production bundles hold none of it.
 */
export function fail(
  code: string,
  subject: string,
  text: string | false,
  Base: ErrorConstructor = Error,
  extra?: object,
): RestitchError {
  const error = new Base(DEV && text ? `${text} [${code}] ${pageOf(code)}` : `${code}: ${subject}`)
  return Object.assign(error, { name: 'RestitchError', code, page: pageOf(code) }, extra)
}

/** An error about data that the library does not accept: a response, or a value that the app wrote. */
export function refusal(code: string, subject: string, text: string | false, extra?: object): RestitchError {
  return fail(code, subject, text, Error, { status: 400, refused: true, ...extra })
}

/**
 * True for errors that the library itself throws, unlike those of the network, the platform and the app.
 *
 * @example
 * try { getUser.url({ id: '' }) } catch (error) { if (isRestitchError(error)) report(error.code) }
 * @see docs/api/isRestitchError.md
 */
export function isRestitchError(error: unknown): error is RestitchError {
  const { code, page } = Object(error) as { code: string; page: unknown }
  return String(page).endsWith(`/docs/errors.md#${code}`)
}

/** The package contains docs/errors.md, and unpkg serves every published package. The build adds the version. */
export function pageOf(code: string): string {
  return `https://unpkg.com/restitch/docs/errors.md#${code}`
}

/** A thrown value as an object: any other is wrapped. */
export function asError(thrown: unknown): object {
  return Object(thrown) === thrown ? (thrown as object) : new Error(String(thrown), { cause: thrown })
}
