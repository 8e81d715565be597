import { Unconvertible } from '../errors.ts'
import type { Member } from '../result.ts'
import { entryOf } from '../values.ts'
import type { Query } from './readQuery.ts'

const NAMES: { readonly [name: string]: string } = {
  data: 'data',
  error: 'error',
  isLoading: 'loading',
  isInitialLoading: 'loading',
  isFetching: 'fetching',
  isRefetching: 'fetching',
  refetch: 'refetch',
  isStale: 'stale',
  isPlaceholderData: 'placeholder',
  isPreviousData: 'placeholder',
  dataUpdatedAt: 'fetchedAt',
  isPending: 'loading',
}
const PAGE_NAMES: { readonly [name: string]: string } = {
  fetchNextPage: 'fetchNextPage',
  hasNextPage: 'hasNextPage',
  isFetchingNextPage: 'fetchingNextPage',
  fetchPreviousPage: 'fetchPreviousPage',
  hasPreviousPage: 'hasPreviousPage',
  isFetchingPreviousPage: 'fetchingPreviousPage',
}

/** How the members of the result of a query are written. */
export function queryMember(query: Query): (name: string) => Member {
  const isEnabled = entryOf(query.options, 'enabled') !== undefined
  return (name) => {
    if (name === 'isPending' && isEnabled) {
      return {
        needs: ['loading', 'data', 'error'],
        write: (at) => `${at('loading')} || (${at('data')} === undefined && ${at('error')} === undefined)`,
      }
    }
    const own = NAMES[name] ?? (query.hasPages ? PAGE_NAMES[name] : undefined)
    if (own) {
      return { name: own }
    }
    if (name === 'isError' || name === 'isLoadingError') {
      return { needs: ['error'], write: (at) => `${at('error')} !== undefined` }
    }
    if (name === 'isSuccess') {
      return { needs: ['loading', 'error'], write: (at) => `!${at('loading')} && ${at('error')} === undefined` }
    }
    if (name === 'status') {
      return statusMember(query.file.isTyped)
    }
    throw new Unconvertible(`"${name}" of its result has no counterpart that the codemod knows`)
  }
}

function statusMember(isTyped: boolean): Member {
  const failed = isTyped ? "'error' as const" : "'error'"
  return {
    needs: ['loading', 'error'],
    write: (at) => `${at('loading')} ? 'pending' : ${at('error')} ? ${failed} : 'success'`,
    test: (at, value) =>
      ({
        pending: at('loading'),
        loading: at('loading'),
        error: `${at('error')} !== undefined`,
        success: `!${at('loading')} && ${at('error')} === undefined`,
      })[value],
  }
}
