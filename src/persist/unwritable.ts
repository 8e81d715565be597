import { DEV } from '../base/env.ts'
import { asError, fail } from '../base/errors.ts'
import type { Row } from '../rows/Row.ts'

/** The error of a row that is left out. */
export function unwritable({ key, pk }: Row, cause: unknown): Error {
  const name = `${key} ${pk}`.trim()
  return fail(
    'persist-row',
    name,
    DEV &&
      `"${name}" cannot be stored: ${(asError(cause) as Error).message}. It is left out, and so are the results that contain it. Keep plain data in records, or exclude its Entity from persist().`,
    TypeError,
    { cause },
  )
}
