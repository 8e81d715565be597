import type { Pass } from '../Pass.ts'
import { checkWrites } from './checkWrites.ts'
import { type ClientCall, findClientCalls } from './findClientCalls.ts'
import { QUERY_HOOKS } from './library.ts'
import { type Prefetch, readPrefetches, writePrefetch } from './prefetches.ts'
import { type Mutation, readMutation } from './readMutation.ts'
import { type Query, readQuery } from './readQuery.ts'
import { ownerOf } from './targets.ts'
import { writeClientCall } from './writeClientCall.ts'
import { writeMutation } from './writeMutation.ts'
import { writeProviders } from './writeProviders.ts'
import { writeQuery } from './writeQuery.ts'

/** Reads all hooks and calls of a client, and writes those that can be converted. */
export function convertTanstack(pass: Pass): void {
  const queries: Query[] = []
  const mutations: Mutation[] = []
  for (const { file, path, name } of pass.callsOf()) {
    if (QUERY_HOOKS.test(name)) {
      const query = pass.attempt(file, path.node, () => readQuery(pass, file, path, name))
      if (query) {
        queries.push(query)
      }
    } else if (name === 'useMutation') {
      const mutation = pass.attempt(file, path.node, () => readMutation(pass, file, path))
      if (mutation) {
        mutations.push(mutation)
      }
    } else if (/^use(?!QueryClient$)/.test(name)) {
      pass.exclude(file, path.node, `${name} has no counterpart that the codemod knows`)
    }
  }
  const clientCalls = findClientCalls(pass)
  const prefetches = readPrefetches(pass, clientCalls)
  checkWrites(pass, clientCalls, queries, mutations)
  if (!pass.hasChanged) {
    write(pass, queries, mutations, clientCalls, prefetches)
  }
}

function write(
  pass: Pass,
  queries: readonly Query[],
  mutations: readonly Mutation[],
  clientCalls: readonly ClientCall[],
  prefetches: readonly Prefetch[],
): void {
  pass.api.plan(
    new Set([
      ...queries.flatMap(({ use }) => use?.operation ?? []),
      ...mutations.map(({ operation }) => operation),
      ...prefetches.map(({ use }) => use.operation),
    ]),
  )
  for (const query of queries) {
    pass.attempt(query.file, query.path.node, () => writeQuery(pass, query))
  }
  for (const mutation of mutations) {
    pass.attempt(mutation.file, mutation.path.node, () => writeMutation(pass, mutation, clientCalls, queries))
  }
  for (const call of clientCalls) {
    const prefetch = prefetches.find((one) => one.call === call)
    if (prefetch) {
      pass.attempt(call.file, call.path.node, () => writePrefetch(pass, call, prefetch.use))
    } else if (!ownerOf(call, mutations)) {
      writeClientCall(pass, call, queries)
    }
  }
  writeProviders(pass)
}
