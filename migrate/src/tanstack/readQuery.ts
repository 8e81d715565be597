import type * as t from '@babel/types'
import type { Use } from '../Api.ts'
import { Unconvertible } from '../errors.ts'
import { Evaluator } from '../evaluate.ts'
import { readPages } from '../pages.ts'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import { readResult, type Site } from '../result.ts'
import { bare, isFunction, nameOf, type NodePath } from '../syntax.ts'
import { entryOf, print, UNDEFINED, type Value } from '../values.ts'
import { type CallerConfig, readCallerConfig } from './callerConfig.ts'
import { checkOptions, type Options, readOptions, setOption } from './options.ts'

/** A query that can be converted. */
export interface Query {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly hook: string
  readonly options: Options
  readonly key: Value | undefined
  /** A request, or the name of an endpoint that calls a function, with its arguments. */
  readonly use: Use | undefined
  readonly call: { name: string; args: readonly Value[] } | undefined
  readonly sites: readonly Site[]
  readonly hasPages: boolean
  /** What the callers of the hook around it may pass. */
  readonly config: CallerConfig | undefined
}

type Head = Pick<Query, 'file' | 'path' | 'hook' | 'options' | 'key' | 'hasPages'>

export function readQuery(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>, hook: string): Query {
  const evaluator = new Evaluator(pass.project, path)
  const written = readOptions(evaluator, file, path)
  const config = readConfig(pass, file, written)
  const options = config ? withConfig(written, config) : written
  checkOptions(options)
  const hasPages = hook.includes('Infinite')
  const sites = readResult(pass.project, file, path)
  const head: Head = { file, path, hook, options, key: entryOf(options, 'queryKey'), hasPages }
  const { use, call } = readFunction(pass, head, evaluator)
  const stale = entryOf(options, 'staleTime')
  if (use && stale) {
    setOption(pass, use, 'dataExpiryLength', stale)
  }
  readInterval(pass, head, use)
  checkPlaceholder(options)
  return { ...head, use, call, sites, config }
}

/** `...queryConfig`, of which callers pass nothing, or `enabled`. */
function readConfig(pass: Pass, file: SourceFile, { entries }: Options): CallerConfig | undefined {
  const spreads = entries.filter(({ name }) => name === undefined).map(({ value }) => value)
  if (spreads.length === 0) {
    return undefined
  }
  const [only] = spreads
  const node = spreads.length === 1 && only?.kind === 'code' ? only.node : undefined
  if (!node) {
    throw new Unconvertible('its options contain a spread of what callers pass: write these options at the call')
  }
  const config = readCallerConfig(pass, file, node)
  const other = config.passed.map(({ key }) => nameOf(key)).find((name) => name !== 'enabled')
  if (other !== undefined) {
    throw new Unconvertible(`callers pass "${other}", which has no counterpart at the hook`)
  }
  return config
}

function withConfig({ entries }: Options, { local, passed }: CallerConfig): Options {
  const own = entries.filter(({ name }) => name !== undefined)
  const code = `${local}?.enabled !== false`
  const test: Value = { kind: 'code', text: code, file: undefined, names: [], isLocal: false }
  return { kind: 'object', entries: passed.length > 0 ? [...own, { name: 'enabled', value: test }] : own }
}

/** The query function: a request, or a function that stays. */
function readFunction(pass: Pass, head: Head, evaluator: Evaluator): Pick<Query, 'use' | 'call'> {
  const { options, hasPages } = head
  let fn = entryOf(options, 'queryFn')
  if (fn?.kind === 'choice') {
    fn = fn.yes.kind === 'function' ? fn.yes : fn.no
  }
  let use: Use
  try {
    use = readRequest(pass, head, evaluator, fn)
  } catch (error) {
    const call =
      error instanceof Unconvertible && !hasPages && !entryOf(options, 'select')
        ? readFunctionCall(pass, evaluator, fn)
        : undefined
    if (!call) {
      throw error
    }
    return { use: undefined, call }
  }
  if (hasPages) {
    use = readPages(pass, use, entryOf(options, 'getNextPageParam'), entryOf(options, 'initialPageParam'))
  }
  return { use, call: undefined }
}

function readRequest(
  pass: Pass,
  { file, path, hook, options, key, hasPages }: Head,
  evaluator: Evaluator,
  fn: Value | undefined,
): Use {
  const pageParam: Value = { kind: 'code', text: '$page', file: undefined, names: [], isLocal: false }
  const context: Value = {
    kind: 'object',
    entries: [
      { name: 'queryKey', value: key ?? UNDEFINED },
      { name: 'signal', value: UNDEFINED },
      ...(hasPages ? [{ name: 'pageParam', value: pageParam }] : []),
    ],
  }
  let result = evaluator.call(fn ?? UNDEFINED, [context])
  const select = entryOf(options, 'select')
  if (select && !hook.includes('Suspense')) {
    result = evaluator.call(select, [result])
  }
  if (result.kind !== 'result') {
    throw new Unconvertible('its function does not return the body of a response')
  }
  const [typeArgument] =
    (path.node as { typeParameters?: t.TSTypeParameterInstantiation | null }).typeParameters?.params ?? []
  const request =
    !result.request.type && typeArgument
      ? { ...result.request, type: { node: typeArgument, file }, typePath: result.path }
      : result.request
  return pass.api.add(request, result.path)
}

/** `queryFn: () => computeStats(range)`: the function stays, as an Endpoint. */
function readFunctionCall(pass: Pass, evaluator: Evaluator, fn: Value | undefined): Query['call'] {
  if (fn?.kind !== 'function' || fn.node.params.length > 0) {
    return undefined
  }
  const body = bare(fn.node.body)
  if (fn.ref) {
    const name = addFunction(pass, fn.ref.name, fn.ref.file)
    return name === undefined ? undefined : { name, args: [] }
  }
  if (body?.type === 'CallExpression' && body.callee.type === 'Identifier') {
    const args = body.arguments.map((arg) => evaluator.value(arg, fn.file, fn.env))
    args.forEach((arg) => print(arg, { file: evaluator.file }))
    const name = addFunction(pass, body.callee.name, fn.file)
    return name === undefined ? undefined : { name, args }
  }
  return undefined
}

/** The name of the endpoint of a function that a module declares. */
function addFunction(pass: Pass, name: string, file: SourceFile): string | undefined {
  const binding = file.program.scope.getBinding(name)
  const declared = binding && pass.project.declaredBy(file, binding)
  const node = declared?.binding.path.node
  const isFn =
    node?.type === 'FunctionDeclaration' || (node?.type === 'VariableDeclarator' && isFunction(bare(node.init)))
  return declared && isFn ? pass.api.addFunction(declared.file, declared.binding.identifier.name) : undefined
}

function readInterval(pass: Pass, { options, hasPages }: Head, use: Use | undefined): void {
  const interval = entryOf(options, 'refetchInterval')
  if (!interval) {
    return
  }
  if (!use || interval.kind === 'function' || hasPages) {
    throw new Unconvertible('"refetchInterval" depends on the state of the query')
  }
  if (interval.kind !== 'literal') {
    // Throws where the value is known only to a component.
    print(interval, { file: undefined })
  }
  setOption(pass, use, 'pollFrequency', interval)
}

function checkPlaceholder(options: Options): void {
  const placeholder = entryOf(options, 'placeholderData')
  if (
    placeholder &&
    !(placeholder.kind === 'external' && placeholder.name === 'keepPreviousData') &&
    !isIdentity(placeholder)
  ) {
    throw new Unconvertible('"placeholderData" is a value: write the placeholder option of useDLE')
  }
}

// placeholderData: (previous) => previous
function isIdentity(value: Value): boolean {
  if (value.kind !== 'function') {
    return false
  }
  const [param] = value.node.params
  return param?.type === 'Identifier' && value.node.body.type === 'Identifier' && value.node.body.name === param.name
}
