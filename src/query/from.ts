import type { From, Input, InputArgs } from './types.ts'

/** An input whose arguments are others than those of the query. */
export class FromInput {
  readonly input: unknown
  readonly argsOf: (...args: any[]) => readonly any[]

  constructor(input: unknown, argsOf: (...args: any[]) => readonly any[]) {
    this.input = input
    this.argsOf = argsOf
  }
}

/**
 * The input of a query whose functions have other arguments than the list: it says which are those of the list.
 *
 * @example
 * const found = query(
 *   from(UserResource.getList, ({ text }: { text: string }) => []),
 *   where((user, { text }: { text: string }) => user.name.includes(text)),
 * )
 * @see docs/api/LiveQuery.md#from
 */
export function from<S extends Input, A extends readonly unknown[]>(
  input: S,
  argsOf: (...args: A) => Readonly<InputArgs<S>>,
): From<S, A> {
  return new FromInput(input, argsOf as never) as never
}
