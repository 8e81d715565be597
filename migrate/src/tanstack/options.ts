import type { Use } from '../Api.ts'
import { Unconvertible } from '../errors.ts'
import type { Evaluator } from '../evaluate.ts'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import type * as t from '@babel/types'
import type { NodePath } from '../syntax.ts'
import { stringOf, type Value } from '../values.ts'

export type Options = Value & { kind: 'object' }

const READ =
  /^(?:queryKey|queryFn|enabled|staleTime|refetchInterval|placeholderData|keepPreviousData|select|initialPageParam|getNextPageParam|throwOnError|useErrorBoundary)$/
/** They have no counterpart at the hook, and the report names them. */
export const DROPPED =
  /^(?:gcTime|cacheTime|retry|retryDelay|refetchOn\w+|refetchIntervalInBackground|networkMode|meta|structuralSharing|notifyOnChangeProps)$/
export const OPTIONS_PAGE = '"Every option" in docs/guide/from-tanstack-query.md'

/** The options of a hook; the older form has key and function in front. */
export function readOptions(evaluator: Evaluator, file: SourceFile, path: NodePath<t.CallExpression>): Options {
  const [first, second, third] = path.node.arguments
  if (!first) {
    throw new Unconvertible('it has no options')
  }
  const value = evaluator.value(first, file, new Map())
  if (value.kind === 'object') {
    return value
  }
  if ((value.kind === 'array' || stringOf(value) !== undefined) && second) {
    const rest = third ? evaluator.value(third, file, new Map()) : undefined
    return {
      kind: 'object',
      entries: [
        { name: 'queryKey', value: value.kind === 'array' ? value : { kind: 'array', items: [value] } },
        { name: 'queryFn', value: evaluator.value(second, file, new Map()) },
        ...(rest?.kind === 'object' ? rest.entries : []),
      ],
    }
  }
  throw new Unconvertible('its options are not known')
}

export function checkOptions(options: Options): void {
  for (const { name, value } of options.entries) {
    if (name === undefined) {
      throw new Unconvertible('its options contain a spread of what callers pass: write these options at the call')
    }
    if (/^(?:throwOnError|useErrorBoundary)$/.test(name) && !(value.kind === 'literal' && !value.value)) {
      throw new Unconvertible(`"${name}" throws in the component: useSuspense does so, useDLE returns the error`)
    }
    if (!READ.test(name) && !DROPPED.test(name)) {
      throw new Unconvertible(`the option "${name}" has no counterpart that the codemod knows`)
    }
  }
}

/** Sets an option of an endpoint, which is the same for all components. */
export function setOption(pass: Pass, use: Use, name: string, value: Value): void {
  const operation = pass.api.operations.get(use.operation)!
  const text =
    value.kind === 'code' && /^[\d_ *+]+$/.test(value.text)
      ? value.text
      : value.kind === 'literal'
        ? String(value.value)
        : value.kind === 'code' && value.text === 'Infinity'
          ? 'Infinity'
          : undefined
  if (text === undefined) {
    throw new Unconvertible(`"${name}" of the endpoint would depend on the component`)
  }
  operation.options.set(name, text)
}
