import type * as t from '@babel/types'
import type { Use } from './Api.ts'
import { Unconvertible } from './errors.ts'
import { Evaluator } from './evaluate.ts'
import { GUIDE, Pass } from './Pass.ts'
import { readPages, rewriteItems } from './pages.ts'
import type { SourceFile } from './Project.ts'
import { conditional } from './read.ts'
import { type Member, readResult, rewriteSite, type Site, takenBy } from './result.ts'
import { bare, type Binding, isFunction, nameOf, type NodePath } from './syntax.ts'
import { entryOf, isMissing, print, stringOf, UNDEFINED, type Value } from './values.ts'

export const TANSTACK = /^(?:@tanstack\/react-query|react-query)$/

/** A query that can be converted. */
interface Query {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly hook: string
  readonly options: Value & { kind: 'object' }
  readonly key: Value | undefined
  /** A request, or the name of an endpoint that calls a function, with its arguments. */
  readonly use: Use | undefined
  readonly call: { name: string; args: readonly Value[] } | undefined
  readonly sites: readonly Site[]
  readonly pages: { initial: Value | undefined } | undefined
}

interface Mutation {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly object: t.ObjectExpression
  readonly options: Value & { kind: 'object' }
  readonly fn: Value
  readonly operation: string
  readonly sites: readonly Site[]
  readonly isOptimistic: boolean
}

interface ClientCall {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly method: string
  readonly client: Binding
  readonly key: Value | undefined
}

const IGNORED = new Set([
  'queryKey',
  'queryFn',
  'enabled',
  'staleTime',
  'gcTime',
  'cacheTime',
  'retryDelay',
  'refetchOnWindowFocus',
  'refetchOnMount',
  'refetchOnReconnect',
  'meta',
  'networkMode',
  'structuralSharing',
  'notifyOnChangeProps',
  'refetchInterval',
  'refetchIntervalInBackground',
  'placeholderData',
  'keepPreviousData',
  'retry',
  'select',
  'initialPageParam',
  'getNextPageParam',
  'throwOnError',
  'useErrorBoundary',
])
const DROPPED = [
  'gcTime',
  'cacheTime',
  'retry',
  'retryDelay',
  'refetchOnWindowFocus',
  'refetchOnMount',
  'refetchOnReconnect',
  'networkMode',
]
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
const RESET = 'void controller.resetEntireStore(), '
const QUERY_HOOKS = /^use(?:Suspense)?(?:Infinite)?Query$/
const CACHE_METHODS =
  /^(?:invalidateQueries|refetchQueries|cancelQueries|setQueryData|setQueriesData|getQueryData|getQueriesData|removeQueries|resetQueries)$/

export function convertTanstack(pass: Pass): void {
  const { project } = pass
  const calls = pass.callsOf()
  const queries: Query[] = []
  const mutations: Mutation[] = []
  for (const { file, path, name } of calls) {
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
  if (pass.hasChanged) {
    return
  }
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
  writeProviders(pass, project)
}

function readQuery(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>, hook: string): Query {
  const evaluator = new Evaluator(pass.project, path)
  const options = readOptions(evaluator, file, path)
  for (const { name } of options.entries) {
    if (name === undefined) {
      throw new Unconvertible('its options contain a spread')
    }
    if (!IGNORED.has(name)) {
      throw new Unconvertible(`the option "${name}" has no counterpart that the codemod knows`)
    }
  }
  const isInfinite = hook.includes('Infinite')
  const key = entryOf(options, 'queryKey')
  const sites = readResult(pass.project, file, path)
  const [typeArgument] =
    (path.node as { typeParameters?: t.TSTypeParameterInstantiation | null }).typeParameters?.params ?? []
  const pageParam: Value = { kind: 'code', text: '$page', file: undefined, names: [], isLocal: false }
  let fn = entryOf(options, 'queryFn')
  if (fn?.kind === 'choice') {
    fn = fn.yes.kind === 'function' ? fn.yes : fn.no
  }
  const context: Value = {
    kind: 'object',
    entries: [
      { name: 'queryKey', value: key ?? UNDEFINED },
      { name: 'signal', value: UNDEFINED },
      ...(isInfinite ? [{ name: 'pageParam', value: pageParam }] : []),
    ],
  }
  let use: Use | undefined
  let call: Query['call']
  try {
    let result = evaluator.call(fn ?? UNDEFINED, [context])
    const select = entryOf(options, 'select')
    if (select && !hook.includes('Suspense')) {
      result = evaluator.call(select, [result])
    }
    if (result.kind !== 'result') {
      throw new Unconvertible('its function does not return the body of a response')
    }
    const request =
      !result.request.type && typeArgument
        ? { ...result.request, type: { node: typeArgument, file }, typePath: result.path }
        : result.request
    use = pass.api.add(request, result.path)
  } catch (error) {
    call =
      error instanceof Unconvertible && !isInfinite && !entryOf(options, 'select')
        ? readFunctionCall(pass, evaluator, fn)
        : undefined
    if (!call) {
      throw error
    }
  }
  if (isInfinite) {
    use = readPages(pass, use!, entryOf(options, 'getNextPageParam'), entryOf(options, 'initialPageParam'))
  }
  const stale = entryOf(options, 'staleTime')
  if (use && stale) {
    setOption(pass, use, 'dataExpiryLength', stale)
  }
  const interval = entryOf(options, 'refetchInterval')
  if (interval) {
    if (!use || interval.kind === 'function' || isInfinite) {
      throw new Unconvertible('"refetchInterval" depends on the state of the query')
    }
    if (interval.kind !== 'literal') {
      constantOf(interval)
    }
    setOption(pass, use, 'pollFrequency', interval)
  }
  const placeholder = entryOf(options, 'placeholderData')
  if (
    placeholder &&
    !(placeholder.kind === 'external' && placeholder.name === 'keepPreviousData') &&
    !isIdentity(placeholder)
  ) {
    throw new Unconvertible('"placeholderData" is a value: write the placeholder option of useDLE')
  }
  return {
    file,
    path,
    hook,
    options,
    key,
    use,
    call,
    sites,
    pages: isInfinite ? { initial: entryOf(options, 'initialPageParam') } : undefined,
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

/** The options of a hook; the older form has key and function in front. */
function readOptions(
  evaluator: Evaluator,
  file: SourceFile,
  path: NodePath<t.CallExpression>,
): Value & { kind: 'object' } {
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

/** `queryFn: () => computeStats(range)`: the function stays, as an Endpoint. */
function readFunctionCall(pass: Pass, evaluator: Evaluator, fn: Value | undefined): Query['call'] {
  if (fn?.kind !== 'function') {
    return undefined
  }
  const simple = (name: string, file: SourceFile): string | undefined => {
    const binding = file.program.scope.getBinding(name)
    const declared = binding && pass.project.declaredBy(file, binding)
    const node = declared?.binding.path.node
    const isFn =
      node?.type === 'FunctionDeclaration' || (node?.type === 'VariableDeclarator' && isFunction(bare(node.init)))
    return declared && isFn ? pass.api.addFunction(declared.file, declared.binding.identifier.name) : undefined
  }
  const body = bare(fn.node.body)
  if (fn.ref && fn.node.params.length === 0) {
    const name = simple(fn.ref.name, fn.ref.file)
    return name === undefined ? undefined : { name, args: [] }
  }
  if (body?.type === 'CallExpression' && body.callee.type === 'Identifier' && fn.node.params.length === 0) {
    const args = body.arguments.map((arg) => evaluator.value(arg, fn.file, fn.env))
    args.forEach((arg) => print(arg, { file: evaluator.file }))
    const name = simple(body.callee.name, fn.file)
    return name === undefined ? undefined : { name, args }
  }
  return undefined
}

function constantOf(value: Value): string {
  return print(value, { file: undefined })
}

function setOption(pass: Pass, use: Use, name: string, value: Value): void {
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

function queryMember(query: Query): (name: string) => Member {
  const isEnabled = entryOf(query.options, 'enabled') !== undefined
  const names: { readonly [name: string]: string } = {
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
    ...(query.pages
      ? {
          fetchNextPage: 'fetchNextPage',
          hasNextPage: 'hasNextPage',
          isFetchingNextPage: 'fetchingNextPage',
          fetchPreviousPage: 'fetchPreviousPage',
          hasPreviousPage: 'hasPreviousPage',
          isFetchingPreviousPage: 'fetchingPreviousPage',
        }
      : {}),
  }
  return (name) => {
    if (name === 'isPending' && isEnabled) {
      return {
        needs: ['loading', 'data', 'error'],
        write: (at) => `${at('loading')} || (${at('data')} === undefined && ${at('error')} === undefined)`,
      }
    }
    if (names[name]) {
      return { name: names[name] }
    }
    if (name === 'isError' || name === 'isLoadingError') {
      return { needs: ['error'], write: (at) => `${at('error')} !== undefined` }
    }
    if (name === 'isSuccess') {
      return { needs: ['loading', 'error'], write: (at) => `!${at('loading')} && ${at('error')} === undefined` }
    }
    if (name === 'status') {
      const other = "'error' as const"
      return {
        needs: ['loading', 'error'],
        write: (at) =>
          `${at('loading')} ? 'pending' : ${at('error')} ? ${query.file.isTyped ? other : "'error'"} : 'success'`,
        test: (at, value) =>
          ({
            pending: at('loading'),
            loading: at('loading'),
            error: `${at('error')} !== undefined`,
            success: `!${at('loading')} && ${at('error')} === undefined`,
          })[value],
      }
    }
    throw new Unconvertible(`"${name}" of its result has no counterpart that the codemod knows`)
  }
}

function writeQuery(pass: Pass, query: Query): void {
  const { file, path, options, use, call, hook } = query
  const isSuspense = hook.includes('Suspense')
  const enabled = entryOf(options, 'enabled')
  const queryFn = entryOf(options, 'queryFn')
  const test = enabled ?? (queryFn?.kind === 'choice' ? queryFn.test : undefined)
  let args: string[]
  let code: string
  if (use) {
    code = pass.endpoint(file, pass.placeOf(use))
    args = pass.args(use, file)
  } else {
    pass.output.import(file, pass.project.specifier(file.path, pass.target), call!.name)
    code = call!.name
    args = call!.args.map((arg) => print(arg, { file }))
  }
  if (test && !(test.kind === 'literal' && test.value === true)) {
    if (args.length > 1) {
      throw new Unconvertible('"enabled" of a function with several arguments')
    }
    args = [conditional(print(test, { file }), args[0] ?? '{}', false)]
  }
  const keeps = entryOf(options, 'placeholderData') ?? entryOf(options, 'keepPreviousData')
  const subject = keeps && !isSuspense ? `{ endpoint: ${code}, keepPrevious: true }` : code
  const ours = pass.hook(
    file,
    query.pages ? (isSuspense ? 'useInfinite' : 'useInfiniteDLE') : isSuspense ? 'useSuspense' : 'useDLE',
  )
  let text = `${ours}(${[subject, ...args].join(', ')})`
  const edits: { file: SourceFile; start: number; end: number; text: string }[] = []
  const member = queryMember(query)
  const select = entryOf(options, 'select')
  if (query.pages) {
    edits.push(...rewriteItems(pass, query.sites, use!, member))
  } else if (isSuspense) {
    const { edits: own, isWhole } = writeSuspense(query, member)
    edits.push(...own)
    if (!isWhole) {
      throw new Unconvertible('more than "data" of its result is used')
    }
    if (select) {
      if (select.kind !== 'function' || select.file !== file) {
        throw new Unconvertible('"select" is not a function of this module')
      }
      text = `${select.ref ? select.ref.name : `(${file.code(select.node)})`}(${text})`
    }
  } else {
    for (const site of query.sites) {
      edits.push(...rewriteSite(site, member).map((edit) => ({ file: site.file, ...edit })))
    }
  }
  let start = path.node.start!
  const interval = entryOf(options, 'refetchInterval')
  if (interval) {
    const statement = path.getStatementParent()!
    const indent = /[ \t]*$/.exec(file.text.slice(0, statement.node.start!))![0]
    const subscribe = `${pass.hook(file, 'useSubscription')}(${[code, ...args].join(', ')})`
    if (
      path.parent.type === 'ArrowFunctionExpression' &&
      path.parent.body === path.node &&
      !path.node.extra?.['parenthesized']
    ) {
      text = `{\n${indent}  ${subscribe}\n${indent}  return ${text}\n${indent}}`
      start -= /\s*$/.exec(file.text.slice(0, start))![0].length
      text = ` ${text}`
    } else if (statement.parentPath?.isBlockStatement()) {
      pass.output.edit(file, statement.node.start!, statement.node.start!, `${subscribe}\n${indent}`)
    } else {
      throw new Unconvertible('"refetchInterval" of a result that is returned at once')
    }
  }
  pass.output.edit(file, start, path.node.end!, text)
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
  const dropped = DROPPED.filter(
    (name) =>
      entryOf(options, name) !== undefined &&
      !(
        name === 'retry' &&
        entryOf(options, name)?.kind === 'literal' &&
        !(entryOf(options, name) as { value?: unknown }).value
      ),
  )
  if (dropped.length > 0) {
    pass.note(
      'note',
      file,
      path.node,
      hook,
      `left out ${dropped.join(', ')}: see "Every option" in docs/guide/from-tanstack-query.md`,
    )
  }
  pass.note('converted', file, path.node, hook, `${ours}(${code})`)
}

// `const { data: todos } = useSuspenseQuery(…)` is `const todos = useSuspense(…)`.
function writeSuspense(
  query: Query,
  member: (name: string) => Member,
): { edits: { file: SourceFile; start: number; end: number; text: string }[]; isWhole: boolean } {
  const edits: { file: SourceFile; start: number; end: number; text: string }[] = []
  for (const site of query.sites) {
    if (site.kind === 'pattern') {
      const taken = takenBy(site.node)
      const [only] = taken
      if (taken.length !== 1 || only!.name !== 'data' || only!.node.value.type !== 'Identifier') {
        return { edits, isWhole: false }
      }
      edits.push({
        file: site.file,
        start: site.node.start!,
        end: site.node.typeAnnotation?.start ?? site.node.end!,
        text: only!.local,
      })
    } else if (site.kind === 'member') {
      if (site.name !== 'data') {
        return { edits, isWhole: false }
      }
      edits.push({ file: site.file, start: site.node.object.end!, end: site.node.end!, text: '' })
    } else if (site.kind === 'array') {
      member('[]')
    }
  }
  return { edits, isWhole: true }
}

function readMutation(pass: Pass, file: SourceFile, path: NodePath<t.CallExpression>): Mutation {
  const [object] = path.node.arguments
  if (object?.type !== 'ObjectExpression' || path.node.arguments.length > 1) {
    throw new Unconvertible('its options are not written at the call')
  }
  const evaluator = new Evaluator(pass.project, path)
  const options = evaluator.value(object, file, new Map())
  if (options.kind !== 'object' || object.properties.some((property) => property.type === 'SpreadElement')) {
    throw new Unconvertible('its options are not known')
  }
  for (const { name } of options.entries) {
    if (!MUTATION_OPTIONS.has(name!)) {
      throw new Unconvertible(`the option "${name}" has no counterpart that the codemod knows`)
    }
  }
  const fn = entryOf(options, 'mutationFn') ?? UNDEFINED
  const use = readVariables(pass, evaluator, fn, VARIABLES)
  const onMutate = entryOf(options, 'onMutate')
  if (onMutate) {
    checkOnMutate(pass, file, onMutate)
    pass.api.operations.get(use.operation)!.isOptimistic = true
  }
  const sites = readResult(pass.project, file, path)
  const mutation: Mutation = {
    file,
    path,
    object,
    options,
    fn,
    operation: use.operation,
    sites,
    isOptimistic: onMutate !== undefined,
  }
  // Every call has to be one that can be written.
  callSites(pass, mutation)
  return mutation
}

const VARIABLES: Value = { kind: 'code', text: 'variables', file: undefined, names: [], isLocal: false }

/** The request of a mutation for given variables. */
function readVariables(pass: Pass, evaluator: Evaluator, fn: Value, variables: Value): Use {
  const result = evaluator.call(fn, isMissing(variables) ? [] : [variables])
  const found = result.kind === 'result' || result.kind === 'response' ? result : sentBy(pass, evaluator, fn, variables)
  if (!found) {
    throw new Unconvertible('its function sends no request that can be read')
  }
  return pass.api.add(found.request, found.kind === 'result' ? found.path : [])
}

/** A function that returns nothing: its request is in its body. */
export function sentBy(
  _pass: Pass,
  evaluator: Evaluator,
  fn: Value,
  variables: Value,
  depth = 0,
): (Value & { kind: 'response' | 'result' }) | undefined {
  if (fn.kind !== 'function' || depth > 4) {
    return undefined
  }
  const found: (Value & { kind: 'response' | 'result' })[] = []
  const trace = new Evaluator(evaluator.project, evaluator.site)
  trace.onSend = (value) => found.push(value)
  trace.call(fn, [variables])
  return found.length === 1 ? found[0] : undefined
}

interface CallSite {
  readonly file: SourceFile
  readonly path: NodePath
  readonly call: NodePath<t.CallExpression> | undefined
  readonly use: Use
  readonly callbacks: t.Node | undefined
}

/** The calls of `mutate` and `mutateAsync`. */
function callSites(pass: Pass, mutation: Mutation): CallSite[] {
  const found: CallSite[] = []
  const read = (file: SourceFile, path: NodePath): void => {
    const { parent, parentPath } = path
    if (parentPath?.isCallExpression() && (parent as t.CallExpression).callee === path.node) {
      const [first, second] = parentPath.node.arguments
      const evaluator = new Evaluator(pass.project, parentPath)
      const variables = first ? evaluator.value(first, file, new Map()) : UNDEFINED
      found.push({
        file,
        path,
        call: parentPath,
        use: readVariables(pass, evaluator, mutation.fn, variables),
        callbacks: second,
      })
    } else {
      found.push({
        file,
        path,
        call: undefined,
        use: readVariables(pass, new Evaluator(pass.project, path), mutation.fn, VARIABLES),
        callbacks: undefined,
      })
    }
  }
  for (const site of mutation.sites) {
    if (site.kind === 'member' && /^mutate(?:Async)?$/.test(site.name)) {
      read(site.file, site.path)
    } else if (site.kind === 'pattern') {
      for (const { name, local } of takenBy(site.node)) {
        if (/^mutate(?:Async)?$/.test(name)) {
          site.scope.scope.getBinding(local)?.referencePaths.forEach((path) => {
            if (!path.parent.type.includes('ArrayExpression')) {
              read(site.file, path)
            }
          })
        }
      }
    }
  }
  return found
}

function writeMutation(
  pass: Pass,
  mutation: Mutation,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
): void {
  const { file, path, object, operation, sites } = mutation
  const place = pass.api.places.get(operation)!
  const edits: { file: SourceFile; start: number; end: number; text: string }[] = []
  const general = pass.args(readVariables(pass, new Evaluator(pass.project, path), mutation.fn, VARIABLES), file)
  const isSame = general.length === 1 && general[0] === 'variables'
  for (const { file: own, path: at, call, use, callbacks } of callSites(pass, mutation)) {
    const args = pass.args(use, own)
    if (call) {
      const { callee } = call.node
      const tuned = callbacks ? `.with(${own.code(callbacks)})` : ''
      edits.push({ file: own, start: callee.end!, end: call.node.end!, text: `${tuned}(${args.join(', ')})` })
    } else if (!isSame && args.length > 0) {
      if (!/^(?:JSXExpressionContainer|ObjectProperty|CallExpression|ArrowFunctionExpression)$/.test(at.parent.type)) {
        throw new Unconvertible('"mutate" is passed on in a way that is not known')
      }
      const code = own.code(at.node)
      const isShort = at.parent.type === 'ObjectProperty' && at.parent.shorthand
      edits.push({
        file: own,
        start: at.node.start!,
        end: at.node.end!,
        text: `${isShort ? `${code}: ` : ''}(variables) => ${code}(${args.join(', ')})`,
      })
    }
  }
  const names: { readonly [name: string]: string } = {
    mutate: 'mutate',
    mutateAsync: 'mutateAsync',
    reset: 'reset',
    data: 'data',
    error: 'error',
    isPending: 'loading',
    isLoading: 'loading',
  }
  const member = (name: string): Member => {
    if (names[name]) {
      return { name: names[name] }
    }
    const status = { isError: 'error', isSuccess: 'success', isIdle: 'idle' }[name]
    if (status) {
      return { needs: ['status'], write: (at) => `${at('status')} === '${status}'` }
    }
    if (name === 'status') {
      return { name: 'status' }
    }
    if (name === 'variables' && isSame) {
      return { needs: ['variables'], write: (at) => `${at('variables')}?.[0]` }
    }
    throw new Unconvertible(`"${name}" of its result has no counterpart that the codemod knows`)
  }
  for (const site of sites) {
    edits.push(...rewriteSite(site, member).map((edit) => ({ file: site.file, ...edit })))
  }
  // The options: cache work goes, the rest stays.
  const removed = new Set<t.Node>()
  for (const property of object.properties) {
    const name = property.type === 'SpreadElement' ? undefined : nameOf(property.key)
    if (
      name === 'mutationFn' ||
      name === 'onMutate' ||
      name === 'mutationKey' ||
      name === 'retry' ||
      name === 'meta' ||
      name === 'gcTime'
    ) {
      removed.add(property)
    } else if (name === 'onSuccess' || name === 'onError' || name === 'onSettled') {
      const fn = property.type === 'ObjectMethod' ? property : bare((property as t.ObjectProperty).value)
      if (isFunction(fn)) {
        const work = cacheWork(pass, mutation, file, fn, clientCalls, queries)
        if (work.isAll) {
          removed.add(property)
        } else {
          work.removed.forEach((node) => pass.output.remove(file, node))
          const index = name === 'onSettled' ? 2 : 1
          const variables = fn.params[index]
          const context = fn.params[index + 1]
          if (context && isNameUsed(file, fn, context, work.removed)) {
            throw new Unconvertible(`the context of onMutate is used in ${name} for more than a rollback`)
          }
          if (variables && isNameUsed(file, fn, variables, work.removed)) {
            if (!isSame || variables.type !== 'Identifier' || variables.typeAnnotation) {
              throw new Unconvertible(`${name} uses the variables`)
            }
            edits.push({ file, start: variables.start!, end: variables.end!, text: `[${file.code(variables)}]` })
          } else if (variables && (variables.type !== 'Identifier' || context)) {
            const before = fn.params[index - 1]!
            edits.push({ file, start: before.end!, end: (context ?? variables).end!, text: '' })
          }
        }
      }
    }
  }
  const ours = pass.hook(file, 'useMutation')
  const code = pass.endpoint(file, place)
  const start = path.node.start!
  const kept = object.properties.filter((property) => !removed.has(property))
  if (kept.length === 0) {
    pass.output.edit(file, start, path.node.end!, `${ours}(${code})`)
  } else {
    pass.output.edit(file, start, object.start!, `${ours}(${code}, `)
    removed.forEach((property) => pass.output.remove(file, property))
  }
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
  pass.note('converted', file, path.node, 'useMutation', `${ours}(${code})`)
  const plan = pass.api.endpoints.find((endpoint) => endpoint.operation.key === operation)
  if (mutation.isOptimistic && plan) {
    pass.note(
      'decide',
      file,
      path.node,
      'useMutation',
      `${code} was optimistic: write its getOptimisticResponse. docs/learn/5-optimistic.md`,
    )
  }
}

function isNameUsed(file: SourceFile, fn: t.Node, param: t.Node, removed: readonly t.Node[]): boolean {
  const names = new Set<string>()
  file.pathOf(param).traverse({ Identifier: (path) => void names.add(path.node.name) })
  if (param.type === 'Identifier') {
    names.add(param.name)
  }
  const body = (fn as t.Function).body
  let isUsed = false
  file.pathOf(body).traverse({
    Identifier(path) {
      const { node } = path
      if (
        names.has(node.name) &&
        path.isReferencedIdentifier() &&
        !removed.some((gone) => gone.start! <= node.start! && node.end! <= gone.end!)
      ) {
        isUsed = true
      }
    },
  })
  return isUsed
}

interface CacheWork {
  /** True if nothing else happens. */
  readonly isAll: boolean
  readonly removed: t.Node[]
}

/** The cache work of a callback of a mutation. */
function cacheWork(
  pass: Pass,
  mutation: Mutation,
  file: SourceFile,
  fn: t.Function,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
): CacheWork {
  const work: CacheWork & { isAll: boolean } = { isAll: false, removed: [] }
  // Only an endpoint of a resource is known to bring a new record into its lists.
  const isMember = pass.api.resources.some(({ operations }) =>
    [...operations.values()].some(({ key }) => key === mutation.operation),
  )
  const entity = isMember ? pass.api.places.get(mutation.operation)?.entity : undefined
  const written = pass.api.places.get(mutation.operation)?.entity
  const [response] = fn.params
  const isPointless = (call: ClientCall): boolean => {
    const { touched, others, isUnknown } = targetsOf(pass, call, queries)
    const [, value] = call.path.node.arguments
    // The store has the records of every response, whatever endpoint it comes from.
    if (
      call.method === 'setQueryData' &&
      response?.type === 'Identifier' &&
      value?.type === 'Identifier' &&
      value.name === response.name
    ) {
      return !isUnknown && others.length === 0 && touched.every((query) => isOf(pass, query, written))
    }
    // A rollback writes what onMutate remembered, under keys that it remembered.
    if (isUnknown && mutation.isOptimistic && call.method.startsWith('set')) {
      return true
    }
    return !isUnknown && others.length === 0 && touched.every((query) => isOf(pass, query, entity))
  }
  const callOf = (node: t.Node): ClientCall | undefined =>
    clientCalls.find(({ path, file: own }) => own === file && path.node === node)
  const isCacheExpression = (expression: t.Node | null | undefined): boolean => {
    const node = bare(expression)
    if (!node) {
      return false
    }
    if (node.type === 'AwaitExpression') {
      return isCacheExpression(node.argument)
    }
    if (node.type === 'UnaryExpression' && node.operator === 'void') {
      return isCacheExpression(node.argument)
    }
    if (node.type === 'LogicalExpression') {
      return isCacheExpression(node.right)
    }
    if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
      const call = callOf(node)
      if (call) {
        return isPointless(call)
      }
      if (file.code(node.callee) === 'Promise.all' && node.arguments[0]?.type === 'ArrayExpression') {
        return node.arguments[0].elements.every((item) => isCacheExpression(item as t.Node))
      }
      const [callback] = node.arguments
      if (file.code(node.callee).endsWith('.forEach') && isFunction(callback)) {
        return callback.body.type === 'BlockStatement'
          ? callback.body.body.every(isCacheStatement)
          : isCacheExpression(callback.body)
      }
    }
    return false
  }
  const isCacheStatement = (statement: t.Statement): boolean => {
    switch (statement.type) {
      case 'ExpressionStatement':
        return isCacheExpression(statement.expression)
      case 'ReturnStatement':
        return isCacheExpression(statement.argument)
      case 'IfStatement': {
        const inner =
          statement.consequent.type === 'BlockStatement' ? statement.consequent.body : [statement.consequent]
        return !statement.alternate && inner.length > 0 && inner.every(isCacheStatement)
      }
      case 'ForOfStatement': {
        const inner = statement.body.type === 'BlockStatement' ? statement.body.body : [statement.body]
        return inner.every(isCacheStatement)
      }
      case 'VariableDeclaration':
        return statement.declarations.every(({ init }) => init && isCacheExpression(init))
      default:
        return false
    }
  }
  if (fn.body.type !== 'BlockStatement') {
    const isAll = isCacheExpression(fn.body)
    for (const call of clientCalls) {
      if (!isAll && call.file === file && isWithin(call.path.node, fn)) {
        writeClientCall(pass, call, queries, entity)
      }
    }
    return { ...work, isAll }
  }
  for (const statement of fn.body.body) {
    if (isCacheStatement(statement)) {
      work.removed.push(statement)
    }
  }
  work.isAll = work.removed.length === fn.body.body.length
  const left = clientCalls.find(
    (call) =>
      call.file === file &&
      isWithin(call.path.node, fn) &&
      CACHE_METHODS.test(call.method) &&
      !work.removed.some((node) => isWithin(call.path.node, node)) &&
      !/^(?:invalidate|refetch)/.test(call.method),
  )
  if (left && targetsOf(pass, left, queries).touched.length > 0) {
    throw new Unconvertible(`${left.method} in a callback writes more than the response`)
  }
  for (const call of clientCalls) {
    if (
      call.file === file &&
      isWithin(call.path.node, fn) &&
      !work.removed.some((node) => isWithin(call.path.node, node))
    ) {
      writeClientCall(pass, call, queries, entity)
    }
  }
  return work
}

function importCall(pass: Pass, file: SourceFile, query: Query): string {
  pass.output.import(file, pass.project.specifier(file.path, pass.target), query.call!.name)
  return query.call!.name
}

function isWithin(node: t.Node, outer: t.Node): boolean {
  return outer.start! <= node.start! && node.end! <= outer.end!
}

/** onMutate may only write to the cache: the rest would be lost. */
function checkOnMutate(_pass: Pass, file: SourceFile, value: Value): void {
  if (value.kind !== 'function' || value.file !== file || value.node.body.type !== 'BlockStatement') {
    throw new Unconvertible('onMutate is not written at the call')
  }
  const isFine = (expression: t.Node | null | undefined): boolean => {
    const node = bare(expression)
    if (!node || node.type === 'AwaitExpression') {
      return !node || isFine(node.argument)
    }
    const text = file.code(node)
    return (
      CACHE_CALL.test(text) ||
      !/\w\(/.test(
        text.replaceAll(
          /\b(?:Date\.now|crypto\.randomUUID|Math\.random|String|Number|toString|toISOString|map|filter|find|slice|concat|some|findIndex)\(/g,
          '',
        ),
      )
    )
  }
  for (const statement of value.node.body.body) {
    const ok =
      statement.type === 'ReturnStatement' ||
      (statement.type === 'VariableDeclaration' && statement.declarations.every(({ init }) => isFine(init))) ||
      (statement.type === 'ExpressionStatement' && CACHE_CALL.test(file.code(statement.expression))) ||
      (statement.type === 'IfStatement' &&
        /QueryData|QueriesData/.test(file.code(statement)) &&
        !/navigate|toast|\bset(?!Quer)[A-Z]\w*\(/.test(file.code(statement))) ||
      (statement.type === 'ForOfStatement' && /QueryData|QueriesData/.test(file.code(statement)))
    if (!ok) {
      throw new Unconvertible('onMutate does more than write to the cache')
    }
  }
}

const CACHE_CALL =
  /^(?:await |void )?[\w.]+\.(?:cancelQueries|setQueryData|setQueriesData|getQueryData|getQueriesData)\b/

/** Every call of a method of a QueryClient. */
function findClientCalls(pass: Pass): ClientCall[] {
  const { project } = pass
  const found: ClientCall[] = []
  const add = (file: SourceFile, client: Binding, reference: NodePath): void => {
    const { parentPath } = reference
    const call = parentPath?.parentPath
    if (
      !call?.isCallExpression() ||
      !parentPath!.node.type.includes('MemberExpression') ||
      call.node.callee !== parentPath!.node
    ) {
      return
    }
    const method = nameOf((parentPath!.node as t.MemberExpression).property) ?? ''
    const [first] = call.node.arguments
    const key = first && keyOf(pass, file, call, first, method)
    found.push({ file, path: call, method, client, key })
  }
  for (const file of project.files.values()) {
    file.program.traverse({
      VariableDeclarator(path) {
        const init = bare(path.node.init)
        if (
          (init?.type === 'CallExpression' || init?.type === 'NewExpression') &&
          init.callee.type === 'Identifier' &&
          path.node.id.type === 'Identifier'
        ) {
          const binding = path.scope.getBinding(init.callee.name)
          const imported = binding && project.importOf(file, binding)
          const own = path.scope.getBinding(path.node.id.name)
          if (
            imported &&
            TANSTACK.test(imported.from) &&
            /^(?:useQueryClient|QueryClient)$/.test(imported.name) &&
            own
          ) {
            const references = own.scope.path.isProgram()
              ? project.referencesOf({ file, binding: own })
              : own.referencePaths.map((reference) => ({ file, path: reference }))
            references.forEach((reference) => add(reference.file, own, reference.path))
          }
        }
      },
    })
  }
  return found
}

function keyOf(pass: Pass, file: SourceFile, path: NodePath, first: t.Node, method: string): Value | undefined {
  try {
    const value = new Evaluator(pass.project, path).value(first, file, new Map())
    const key = /^(?:set|get)Query/.test(method) ? value : value.kind === 'object' ? entryOf(value, 'queryKey') : value
    return key?.kind === 'object' ? entryOf(key, 'queryKey') : key
  } catch (error) {
    if (error instanceof Unconvertible) {
      return { kind: 'code', text: '?', file: undefined, names: [], isLocal: true }
    }
    throw error
  }
}

/** The queries that a key reaches: those that are converted, and places that are not. */
function targetsOf(
  pass: Pass,
  call: ClientCall,
  queries: readonly Query[],
): { touched: Query[]; others: string[]; isUnknown: boolean } {
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

/** A query whose key other code writes or reads stays where that code looks for it. */
function checkWrites(
  pass: Pass,
  clientCalls: readonly ClientCall[],
  queries: readonly Query[],
  mutations: readonly Mutation[],
): void {
  for (const call of clientCalls) {
    const isInert =
      /^(?:invalidateQueries|refetchQueries|cancelQueries|prefetchQuery|fetchQuery|ensureQueryData|clear)$/.test(
        call.method,
      )
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
  for (const mutation of mutations) {
    const onMutate = mutation.object.properties.find(
      (property) => 'key' in property && nameOf(property.key) === 'onMutate',
    )
    if (!onMutate) {
      continue
    }
    const calls = clientCalls.filter(
      (call) => call.file === mutation.file && isWithin(call.path.node, onMutate) && call.method.startsWith('set'),
    )
    const blocked = calls.flatMap((call) => targetsOf(pass, call, queries).others)
    if (blocked.length > 0 || calls.some((call) => targetsOf(pass, call, queries).isUnknown)) {
      pass.exclude(
        mutation.file,
        mutation.path.node,
        `onMutate writes to a query that stays on the old library (${blocked[0] ?? 'its key is not known'})`,
      )
    }
  }
}

function ownerOf(call: ClientCall, mutations: readonly Mutation[]): Mutation | undefined {
  return mutations.find(({ file, object }) => file === call.file && isWithin(call.path.node, object))
}

interface Prefetch {
  readonly call: ClientCall
  readonly use: Use
}

function readPrefetches(pass: Pass, clientCalls: readonly ClientCall[]): Prefetch[] {
  return clientCalls.flatMap((call): Prefetch[] => {
    if (!/^(?:prefetchQuery|fetchQuery|ensureQueryData)$/.test(call.method) || call.client.scope.path.isProgram()) {
      return []
    }
    const use = pass.attempt(call.file, call.path.node, () => {
      const evaluator = new Evaluator(pass.project, call.path)
      const options = readOptions(evaluator, call.file, call.path)
      const result = evaluator.call(entryOf(options, 'queryFn') ?? UNDEFINED, [
        { kind: 'object', entries: [{ name: 'queryKey', value: call.key ?? UNDEFINED }] },
      ])
      if (result.kind !== 'result') {
        throw new Unconvertible('its function does not return the body of a response')
      }
      return pass.api.add(result.request, result.path)
    })
    return use ? [{ call, use }] : []
  })
}

function writePrefetch(pass: Pass, call: ClientCall, use: Use): void {
  const args = pass.args(use, call.file)
  const code = pass.endpoint(call.file, pass.placeOf(use))
  addController(pass, call.file, call.path)
  pass.output.replace(call.file, call.path.node, `controller.fetchIfStale(${[code, ...args].join(', ')})`)
  pass.note('converted', call.file, call.path.node, call.method, `controller.fetchIfStale(${code})`)
}

/** Invalidations outside of mutations that are converted. */
function writeClientCall(pass: Pass, call: ClientCall, queries: readonly Query[], entity?: string): void {
  const { file, path, method } = call
  if (method === 'clear' && !call.client.scope.path.isProgram()) {
    // An earlier run has been here.
    if (file.text.slice(0, path.node.start!).endsWith(RESET)) {
      return
    }
    addController(pass, file, path)
    const statement = path.parentPath
    const end = statement?.isExpressionStatement() ? statement.node : path.node
    pass.output.edit(file, path.node.start!, path.node.start!, RESET)
    pass.note('note', file, end, method, 'also resets the store')
    return
  }
  if (!/^(?:invalidateQueries|refetchQueries)$/.test(method)) {
    const isFree = !pass
      .callsOf()
      .some(
        (hook) =>
          hook.name === 'useMutation' &&
          hook.file === file &&
          isWithin(path.node, hook.path.node) &&
          pass.isExcluded(file, hook.path.node),
      )
    if (isFree && /^(?:set|get|remove|reset)/.test(method)) {
      pass.note('left', file, path.node, method, `stays on the old library: write it with a controller. ${GUIDE}`)
      comment(
        pass,
        file,
        path,
        `${method}: the queries of this key stay on the old library because of this call (controller.set, controller.get)`,
      )
    }
    return
  }
  const { touched, others, isUnknown } = targetsOf(pass, call, queries)
  if (isUnknown) {
    pass.note(
      'decide',
      file,
      path.node,
      method,
      'its key is not known: expire the endpoints that it means with controller.expireAll',
    )
    comment(pass, file, path, `expire the endpoints that this key means: controller.expireAll(endpoint)`)
    return
  }
  const stale = touched.filter((query) => !isOf(pass, query, entity))
  if (stale.length === 0) {
    if (touched.length > 0 && others.length === 0) {
      if (path.parent.type === 'ArrayExpression') {
        pass.output.remove(file, path.node)
      } else {
        pass.output.replace(file, path.node, 'undefined')
      }
    }
    return
  }
  if (call.client.scope.path.isProgram()) {
    pass.note('decide', file, path.node, method, 'there is no controller here: expire the endpoints where one is')
    comment(pass, file, path, 'these queries are endpoints now: expire them with controller.expireAll')
    return
  }
  const codes = [
    ...new Set(
      stale.map((query) => (query.use ? pass.endpoint(file, pass.placeOf(query.use)) : importCall(pass, file, query))),
    ),
  ]
  addController(pass, file, path)
  const expire =
    codes.length === 1
      ? `controller.expireAll(${codes[0]})`
      : `Promise.all([${codes.map((code) => `controller.expireAll(${code})`).join(', ')}])`
  pass.output.replace(file, path.node, others.length > 0 ? `Promise.all([${expire}, ${file.code(path.node)}])` : expire)
  pass.note('converted', file, path.node, method, `controller.expireAll(${codes.join(', ')})`)
}

/** Whether a query shows records of an entity, which a mutation of them keeps right. */
function isOf(pass: Pass, query: Query, entity: string | undefined): boolean {
  return entity !== undefined && query.use !== undefined && pass.placeOf(query.use).entity === entity
}

/** A comment where a person has to decide. It is written once. */
export function comment(pass: Pass, file: SourceFile, path: NodePath, text: string): void {
  const statement = path.getStatementParent()?.node ?? path.node
  const line = `// restitch-migrate: ${text}. ${GUIDE}`
  if (!file.text.slice(0, statement.start!).trimEnd().endsWith(line)) {
    const indent = /[ \t]*$/.exec(file.text.slice(0, statement.start!))![0]
    pass.output.edit(file, statement.start!, statement.start!, `${line}\n${indent}`)
  }
}

/** `const controller = useController()` at the start of the function that is a component or a hook. */
export function addController(pass: Pass, file: SourceFile, path: NodePath): void {
  let fn = path.getFunctionParent() as NodePath | null
  for (let at = fn; at; at = at.getFunctionParent() as NodePath | null) {
    fn = at
  }
  const body = (fn?.node as t.Function | undefined)?.body
  if (!fn || body?.type !== 'BlockStatement') {
    throw new Unconvertible('there is no component around it')
  }
  if (fn.scope.hasOwnBinding('controller')) {
    return
  }
  const [first] = body.body
  const indent = first ? /[ \t]*$/.exec(file.text.slice(0, first.start!))![0] : '  '
  const end = /;\s*$/.test(file.code(first ?? body)) ? ';' : ''
  pass.output.edit(
    file,
    first?.start ?? body.start! + 1,
    first?.start ?? body.start! + 1,
    `const controller = ${pass.hook(file, 'useController')}()${end}\n${indent}`,
  )
}

/** `<DataProvider>`: beside the old provider, or instead of it if nothing else needs that. */
function writeProviders(pass: Pass, project: Pass['project']): void {
  const isLeft =
    pass.keepsProvider ||
    pass.excluded.size > 0 ||
    pass.notes.some(({ kind, what }) => kind === 'left' || (kind === 'decide' && CACHE_METHODS.test(what)))
  let hasProvider = false
  for (const file of project.files.values()) {
    file.program.traverse({
      JSXElement(path) {
        const { openingElement: opening, closingElement: closing } = path.node
        if (opening.name.type !== 'JSXIdentifier' || !closing) {
          return
        }
        hasProvider ||= opening.name.name === 'DataProvider'
        const binding = path.scope.getBinding(opening.name.name)
        const imported = binding && project.importOf(file, binding)
        if (!imported || !TANSTACK.test(imported.from) || imported.name !== 'QueryClientProvider') {
          return
        }
        hasProvider = true
        if (/<DataProvider[\s>]/.test(file.code(path.node))) {
          return
        }
        const name = pass.hook(file, 'DataProvider')
        const client = opening.attributes.find(
          (attribute) => attribute.type === 'JSXAttribute' && attribute.name.name === 'client',
        )
        const value =
          client?.type === 'JSXAttribute' && client.value?.type === 'JSXExpressionContainer'
            ? client.value.expression
            : undefined
        const own = value?.type === 'Identifier' ? path.scope.getBinding(value.name) : undefined
        const isOnlyUse = own
          ? own.referencePaths.length === 1 && own.path.parentPath?.parentPath?.type !== 'ExportNamedDeclaration'
          : false
        const hasMore = /ReactQueryDevtools|PersistQuery|HydrationBoundary/.test(file.code(path.node))
        if (!isLeft && isOnlyUse && !hasMore) {
          pass.output.replace(file, opening, `<${name}>`)
          pass.output.replace(file, closing, `</${name}>`)
        } else {
          pass.output.edit(file, opening.end!, opening.end!, `<${name}>`)
          pass.output.edit(file, closing.start!, closing.start!, `</${name}>`)
        }
        pass.note(
          'converted',
          file,
          path.node,
          'QueryClientProvider',
          isLeft ? 'DataProvider inside it' : 'DataProvider',
        )
      },
    })
  }
  if (!hasProvider && pass.notes.some(({ kind }) => kind === 'converted')) {
    const [file] = project.files.values()
    pass.note(
      'decide',
      file!,
      file!.program.node,
      'DataProvider',
      'no QueryClientProvider is in these files: put <DataProvider> around your app',
    )
  }
}
