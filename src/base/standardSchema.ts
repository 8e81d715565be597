import { DEV } from './env.ts'
import { fail, type RestitchError } from './errors.ts'

/**
 * Version 1 of the interface that zod, valibot, arktype and others offer: how the library asks them without knowing them.
 *
 * @example
 * const getUser = new RestEndpoint({ path: '/user/:id', validateResponse: z.object({ id: z.number() }) })
 * @see docs/api/StandardSchemaV1.md
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Output> | Promise<StandardSchemaV1.Result<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

export declare namespace StandardSchemaV1 {
  /** The result of a schema: a value, or issues. */
  export type Result<Output> =
    | { readonly value: Output; readonly issues?: undefined }
    | { readonly issues: readonly Issue[] }

  /** One objection, and where in the value it applies. */
  export interface Issue {
    readonly message: string
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  }
}

/** The place where a schema is used; it becomes the code of the error. */
type ValidateCode = 'validate-response' | 'validate-body' | 'validate-entity'

/**
 * Returns the schema's output, or a promise of it, or throws the error that the caller rejects with. Without a schema any value passes.
 * Only responses may use an asynchronous schema: a body is checked before an optimistic operation is shown.
 */
export function validate(schema: unknown, value: unknown, code: ValidateCode, subject: () => string): unknown {
  if (!schema) {
    return value
  }
  const refuse = (as: string, issues: readonly StandardSchemaV1.Issue[] = [], cause?: unknown): RestitchError => {
    const where = issues[0]?.path?.map((step) => String((step as { key?: PropertyKey }).key ?? step)).join('.')
    return fail(
      as,
      subject() + (where ? ` at ${where}` : '') + (issues[0] ? `: ${issues[0].message}` : ''),
      DEV && describe(subject(), where, issues, cause, as),
      Error,
      { status: 400, refused: true, issues, cause, response: code === 'validate-body' ? undefined : value },
    )
  }
  const read = (result?: StandardSchemaV1.Result<unknown>): unknown => {
    if (!result || result.issues) {
      throw refuse(code, result?.issues)
    }
    return result.value
  }
  const breakOff = (cause: unknown): never => {
    throw refuse(code, [], cause)
  }
  let result
  try {
    const standard = (schema as StandardSchemaV1)['~standard']
    if (DEV && standard.version !== 1) {
      throw new TypeError('It is no Standard Schema of version 1')
    }
    result = standard.validate(value)
  } catch (cause) {
    return breakOff(cause)
  }
  if (!(result as Partial<Promise<unknown>> | undefined)?.then) {
    return read(result as StandardSchemaV1.Result<unknown>)
  }
  const later = result as Promise<StandardSchemaV1.Result<unknown>>
  if (code === 'validate-response') {
    return later.then(read, breakOff)
  }
  // The result is not used: its rejection must not surface as unhandled.
  later.catch(() => {})
  throw refuse('validate-async')
}

function describe(
  subject: string,
  where: string | undefined,
  { 0: first, length }: readonly StandardSchemaV1.Issue[],
  cause: unknown,
  code: string,
): string {
  if (first) {
    return `"${subject}" was refused by its schema${where ? ` at "${where}"` : ''}: ${first.message}${length > 1 ? ` (and ${length - 1} more)` : ''}.`
  }
  if (cause) {
    return `The schema of "${subject}" failed: ${String(cause)}. Give it one of zod, valibot, arktype or another that follows Standard Schema.`
  }
  return code === 'validate-async'
    ? `The schema of "${subject}" is asynchronous, which only validateResponse may be.`
    : `"${subject}" was refused by its schema, which does not say why.`
}
