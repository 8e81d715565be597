import type { Pass } from '../Pass.ts'
import { nameOf } from '../syntax.ts'
import type { ClientCall } from './findClientCalls.ts'
import { CACHE_METHODS } from './library.ts'
import type { Mutation } from './readMutation.ts'
import type { Query } from './readQuery.ts'
import { isWithin, ownerOf, targetsOf } from './targets.ts'

/** A query whose key other code writes or reads stays where that code looks for it. */
export function checkWrites(
  pass: Pass,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
  mutations: readonly Mutation[],
): void {
  for (const call of clientCalls) {
    const isInert = /^(?:invalidateQueries|refetchQueries|cancelQueries)$/.test(call.method)
    if (isInert || ownerOf(call, mutations) || !CACHE_METHODS.test(call.method)) {
      continue
    }
    for (const query of targetsOf(pass, call, queries).touched) {
      pass.exclude(
        query.file,
        query.path.node,
        `${call.method} in ${call.file.path}:${call.file.line(call.path.node)} uses its key: convert that call first (controller.set, controller.get)`,
      )
    }
  }
  mutations.forEach((mutation) => checkOptimisticWrites(pass, clientCalls, queries, mutation))
}

/** A mutation whose onMutate writes to a query that stays has to stay, too. */
function checkOptimisticWrites(
  pass: Pass,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
  mutation: Mutation,
): void {
  const onMutate = mutation.object?.properties.find(
    (property) => 'key' in property && nameOf(property.key) === 'onMutate',
  )
  if (!onMutate) {
    return
  }
  const calls = clientCalls.filter(
    (call) => call.file === mutation.file && isWithin(call.path.node, onMutate) && call.method.startsWith('set'),
  )
  const targets = calls.map((call) => targetsOf(pass, call, queries))
  const blocked = targets.flatMap(({ others }) => others)
  if (blocked.length > 0 || targets.some(({ isUnknown }) => isUnknown)) {
    pass.exclude(
      mutation.file,
      mutation.path.node,
      `onMutate writes to a query that stays on the old library (${blocked[0] ?? 'its key is not known'})`,
    )
  }
}
