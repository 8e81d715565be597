import type { Fetched, Known } from '../../controller/Controller.ts'
import { isSkip } from '../../controller/driver.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'

/** What an endpoint gives; it may be missing where the arguments may be `null`. */
export type DataOf<E extends EndpointInterface, A extends readonly unknown[]> = null extends A[0]
  ? Known<E>
  : Fetched<E>

/** The key of the arguments; none for `null`. */
export function keyOf(endpoint: EndpointInterface, args: readonly any[]): string | undefined {
  return isSkip(args) ? undefined : endpoint.key(...args)
}
