import type { Fetched, Known } from '../../controller/Controller.ts'
import { isSkip } from '../../controller/driver.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'

/**
 * The arguments of a hook: those of the endpoint, or `null`, which fetches nothing. `A` is inferred only to learn whether `null` is
 * possible; otherwise the endpoint's own arguments check the call, so that the compiler finds misspelt members and completes names.
 */
export type HookArgs<E extends EndpointInterface, A extends readonly unknown[]> =
  | readonly [...Parameters<E>]
  | (null extends A[0] ? A & NullableArgs<Parameters<E>> : never)

type NullableArgs<P extends readonly unknown[]> = P extends readonly [(infer F)?, ...infer R]
  ? R extends readonly []
    ? readonly [(F | null)?]
    : readonly [...P] | readonly [null]
  : readonly [...P] | readonly [null]

/** What an endpoint gives; it may be missing where the arguments may be `null`. */
export type DataOf<E extends EndpointInterface, A extends readonly unknown[]> = null extends A[0]
  ? Known<E>
  : Fetched<E>

/** The key of the arguments; none for `null`. */
export function keyOf(endpoint: EndpointInterface, args: readonly any[]): string | undefined {
  return isSkip(args) ? undefined : endpoint.key(...args)
}
