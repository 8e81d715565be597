/** The modules of the library, with the name that it had before. */
export const TANSTACK = /^(?:@tanstack\/react-query|react-query)$/

export const QUERY_HOOKS = /^use(?:Suspense)?(?:Infinite)?Query$/

/** Methods of a client that read or write what queries have. */
export const CACHE_METHODS =
  /^(?:invalidateQueries|refetchQueries|cancelQueries|setQueryData|setQueriesData|getQueryData|getQueriesData|removeQueries|resetQueries)$/
