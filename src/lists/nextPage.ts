type Args = readonly any[]

/** The page that follows, according to a response. */
export interface NextPageInfo {
  /** The arguments of that page, where the response names them. */
  readonly args: Args | undefined
  /** Without `getNextPage`: the arguments with the next number, since the page may be one of a numbered series. */
  readonly guess?: Args | undefined
  /** The response says that nothing comes after it. */
  readonly isEnd: boolean
  /** The arguments of the page before it, where `getPreviousPage` names one. */
  readonly previous?: Args | undefined
}

/** Tells what comes after a response, and before it; `undefined` for an endpoint without pages. */
export function nextPage(
  endpoint: object,
  value: unknown,
  args: Args,
): ((isEmpty: boolean) => NextPageInfo) | undefined {
  const {
    getNextPage,
    getPreviousPage,
    paginationField: field,
  } = endpoint as {
    getNextPage?(value: unknown, ...args: Args): unknown
    getPreviousPage?(value: unknown, ...args: Args): unknown
    paginationField?: string
  }
  if (!getNextPage && !getPreviousPage && !field) {
    return undefined
  }
  return (isEmpty) => {
    const [params, ...rest] = args
    const at = (next: unknown): Args | undefined => (field ? [{ ...params, [field]: next }, ...rest] : undefined)
    const argsOf = (named: unknown): Args | undefined =>
      isNone(named) ? undefined : Array.isArray(named) ? named : at(named)
    const previous = argsOf(getPreviousPage?.call(endpoint, value, ...args))
    if (!getNextPage) {
      if (!field) {
        return { args: undefined, isEnd: true, previous }
      }
      // The list itself is the first page. A cursor that is no whole number says nothing of what comes next.
      const number = Number(params?.[field] ?? 1)
      const guess = Number.isSafeInteger(number) ? at(number + 1) : undefined
      return { args: undefined, guess, isEnd: isEmpty, previous }
    }
    const next: unknown = getNextPage.call(endpoint, value, ...args)
    return { args: argsOf(next), isEnd: isNone(next), previous }
  }
}

/** True for a value that names no page. */
function isNone(named: unknown): boolean {
  return named === undefined || named === null || named === '' || named !== named
}
