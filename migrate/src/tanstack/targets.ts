import type * as t from '@babel/types'
import { Evaluator } from '../evaluate.ts'
import type { Pass } from '../Pass.ts'
import { entryOf, stringOf, type Value } from '../values.ts'
import type { ClientCall } from './findClientCalls.ts'
import { QUERY_HOOKS } from './library.ts'
import { readOptions } from './options.ts'
import type { Mutation } from './readMutation.ts'
import type { Query } from './readQuery.ts'

/** The queries that a key reaches: those that are converted, and places that are not. */
export interface Targets {
  readonly touched: readonly Query[]
  readonly others: readonly string[]
  readonly isUnknown: boolean
}

export function targetsOf(pass: Pass, call: ClientCall, queries: readonly Query[]): Targets {
  const key = call.key ?? { kind: 'array' as const, items: [] }
  if (key.kind !== 'array') {
    return { touched: [], others: [], isUnknown: true }
  }
  const touched = queries.filter((query) => matches(key, query.key))
  const others: string[] = []
  for (const { file, path, name } of pass.callsOf()) {
    if (QUERY_HOOKS.test(name) && pass.isExcluded(file, path.node)) {
      try {
        const options = readOptions(new Evaluator(pass.project, path), file, path)
        if (matches(key, entryOf(options, 'queryKey'))) {
          others.push(`${file.path}:${file.line(path.node)}`)
        }
      } catch {
        others.push(`${file.path}:${file.line(path.node)}`)
      }
    }
  }
  return { touched, others, isUnknown: false }
}

function matches(prefix: Value & { kind: 'array' }, key: Value | undefined): boolean {
  if (key?.kind === 'choice') {
    return matches(prefix, key.yes) || matches(prefix, key.no)
  }
  if (key?.kind !== 'array') {
    return true
  }
  return prefix.items.every((item, index) => {
    const other = key.items[index]
    if (!other) {
      return false
    }
    const [a, b] = [scalarOf(item), scalarOf(other)]
    return a === undefined || b === undefined || a === b
  })
}

function scalarOf(value: Value): unknown {
  return value.kind === 'literal' ? (value.value ?? undefined) : stringOf(value)
}

/** Whether a query shows records of an entity, which a mutation of them keeps right. */
export function showsEntity(pass: Pass, query: Query, entity: string | undefined): boolean {
  return entity !== undefined && query.use !== undefined && pass.placeOf(query.use).entity === entity
}

/** The mutation whose options contain a call. */
export function ownerOf(call: ClientCall, mutations: readonly Mutation[]): Mutation | undefined {
  return mutations.find(({ file, object }) => object && file === call.file && isWithin(call.path.node, object))
}

export function isWithin(node: t.Node, outer: t.Node): boolean {
  return outer.start! <= node.start! && node.end! <= outer.end!
}
