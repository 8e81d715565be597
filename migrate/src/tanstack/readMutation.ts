import type * as t from '@babel/types'
import type { Use } from '../Api.ts'
import { Unconvertible } from '../errors.ts'
import { Evaluator } from '../evaluate.ts'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import { readResult, type Site, takenBy } from '../result.ts'
import type { NodePath } from '../syntax.ts'
import { entryOf, isMissing, UNDEFINED, type Value } from '../values.ts'
import { type CallerConfig, isPlainCallback, readCallerConfig } from './callerConfig.ts'
import { checkOnMutate } from './checkOnMutate.ts'

/** A mutation that can be converted. */
export interface Mutation {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  /** The options as they are written; `useMutation(addTodo)` has none. */
  readonly object: t.ObjectExpression | undefined
  readonly options: Value & { kind: 'object' }
  readonly fn: Value
  readonly operation: string
  readonly sites: readonly Site[]
  readonly isOptimistic: boolean
  /** The callbacks that the callers of the hook around it pass. */
  readonly config: CallerConfig | undefined
}

/** A call of `mutate` or `mutateAsync`, or a place that passes it on. */
export interface MutateSite {
  readonly file: SourceFile
  readonly path: NodePath
  readonly call: NodePath<t.CallExpression> | undefined
  readonly use: Use
  readonly callbacks: t.Node | undefined
}

const MUTATION_OPTIONS = new Set([
  'mutationFn',
  'mutationKey',
  'onMutate',
  'onSuccess',
  'onError',
  'onSettled',
  'retry',
  'meta',
  'gcTime',
])
const VARIABLES: Value = { kind: 'code', text: 'variables', file: undefined, names: [], isLocal: false }

export function readMutation(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>): Mutation {
  const evaluator = new Evaluator(pass.project, path)
  const { object, options } = readOptions(evaluator, file, path)
  const config = readConfig(pass, file, object)
  for (const { name } of options.entries) {
    if (name !== undefined && !MUTATION_OPTIONS.has(name)) {
      throw new Unconvertible(`the option "${name}" has no counterpart that the codemod knows`)
    }
  }
  const fn = entryOf(options, 'mutationFn') ?? UNDEFINED
  const { operation } = readVariables(pass, evaluator, fn, VARIABLES)
  const onMutate = entryOf(options, 'onMutate')
  if (onMutate) {
    checkOnMutate(file, onMutate)
    pass.api.operations.get(operation)!.isOptimistic = true
  }
  const sites = readResult(pass.project, file, path)
  const isOptimistic = onMutate !== undefined
  const mutation: Mutation = { file, path, object, options, fn, operation, sites, isOptimistic, config }
  // Every call has to be one that can be written.
  readMutateSites(pass, mutation)
  return mutation
}

/** `...mutationConfig`, of which callers pass callbacks. */
function readConfig(pass: Pass, file: SourceFile, object: t.ObjectExpression | undefined): CallerConfig | undefined {
  const spreads = object?.properties.filter((property) => property.type === 'SpreadElement') ?? []
  if (spreads.length === 0) {
    return undefined
  }
  const [{ argument }] = spreads as [t.SpreadElement]
  const config = spreads.length === 1 ? readCallerConfig(pass, file, argument) : undefined
  if (!config || (file.isTyped && !config.type)) {
    throw new Unconvertible('its options contain what callers pass: write them at the call')
  }
  if (!config.passed.every(isPlainCallback)) {
    throw new Unconvertible('callers pass options other than callbacks, or callbacks that read the variables')
  }
  return config
}

/** The options of the call; the older form has the function in front. */
function readOptions(
  evaluator: Evaluator,
  file: SourceFile,
  path: NodePath<t.CallExpression>,
): { object: t.ObjectExpression | undefined; options: Value & { kind: 'object' } } {
  const [first, second, third] = path.node.arguments
  const value = first && evaluator.value(first, file, new Map())
  if (value?.kind === 'function' && !third && (!second || second.type === 'ObjectExpression')) {
    const rest = second ? evaluator.value(second, file, new Map()) : undefined
    const entries = rest?.kind === 'object' ? rest.entries : []
    return { object: second, options: { kind: 'object', entries: [{ name: 'mutationFn', value }, ...entries] } }
  }
  if (first?.type !== 'ObjectExpression' || value?.kind !== 'object' || second) {
    throw new Unconvertible('its options are not written at the call')
  }
  return { object: first, options: value }
}

/** The arguments of the endpoint, where nothing is known of the variables but their name. */
export function readGeneralArgs(pass: Pass, { file, path, fn }: Mutation): string[] {
  return pass.args(readVariables(pass, new Evaluator(pass.project, path), fn, VARIABLES), file)
}

/** The calls of `mutate` and `mutateAsync`. */
export function readMutateSites(pass: Pass, mutation: Mutation): MutateSite[] {
  return mutation.sites.flatMap((site) => {
    if (site.kind === 'member' && /^mutate(?:Async)?$/.test(site.name)) {
      return [readMutateSite(pass, mutation, site.file, site.path)]
    }
    if (site.kind !== 'pattern') {
      return []
    }
    return takenBy(site.node)
      .filter(({ name }) => /^mutate(?:Async)?$/.test(name))
      .flatMap(({ local }) => site.scope.scope.getBinding(local)?.referencePaths ?? [])
      .filter(({ parent }) => !parent.type.includes('ArrayExpression'))
      .map((path) => readMutateSite(pass, mutation, site.file, path))
  })
}

function readMutateSite(pass: Pass, { fn }: Mutation, file: SourceFile, path: NodePath): MutateSite {
  const { parentPath } = path
  if (!parentPath?.isCallExpression() || parentPath.node.callee !== path.node) {
    const use = readVariables(pass, new Evaluator(pass.project, path), fn, VARIABLES)
    return { file, path, call: undefined, use, callbacks: undefined }
  }
  const [first, second] = parentPath.node.arguments
  const evaluator = new Evaluator(pass.project, parentPath)
  const variables = first ? evaluator.value(first, file, new Map()) : UNDEFINED
  return { file, path, call: parentPath, use: readVariables(pass, evaluator, fn, variables), callbacks: second }
}

/** The request of a mutation for given variables. */
function readVariables(pass: Pass, evaluator: Evaluator, fn: Value, variables: Value): Use {
  const result = evaluator.call(fn, isMissing(variables) ? [] : [variables])
  const found = result.kind === 'result' || result.kind === 'response' ? result : sentBy(evaluator, fn, variables)
  if (!found) {
    throw new Unconvertible('its function sends no request that can be read')
  }
  return pass.api.add(found.request, found.kind === 'result' ? found.path : [])
}

/** A function that returns nothing: its request is in its body. */
function sentBy(
  evaluator: Evaluator,
  fn: Value,
  variables: Value,
): (Value & { kind: 'response' | 'result' }) | undefined {
  if (fn.kind !== 'function') {
    return undefined
  }
  const found: (Value & { kind: 'response' | 'result' })[] = []
  const trace = new Evaluator(evaluator.project, evaluator.site)
  trace.onSend = (value) => found.push(value)
  trace.call(fn, [variables])
  return found.length === 1 ? found[0] : undefined
}
