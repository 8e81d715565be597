import { Unconvertible } from '../errors.ts'
import { noteDropped } from '../noteDropped.ts'
import type { FileEdit, Pass } from '../Pass.ts'
import { rewriteItems } from '../pages.ts'
import { conditional } from '../read.ts'
import { type Member, rewriteSite, takenBy } from '../result.ts'
import { entryOf, print } from '../values.ts'
import { removeTaken } from './callerConfig.ts'
import { DROPPED, OPTIONS_PAGE } from './options.ts'
import { queryMember } from './queryMember.ts'
import type { Query } from './readQuery.ts'

export function writeQuery(pass: Pass, query: Query): void {
  const { file, path, options, hook } = query
  const { code, args } = writeEndpoint(pass, query)
  const isSuspense = hook.includes('Suspense')
  const keeps = entryOf(options, 'placeholderData') ?? entryOf(options, 'keepPreviousData')
  const subject = keeps && !isSuspense ? `{ endpoint: ${code}, keepPrevious: true }` : code
  const ours = pass.hook(
    file,
    query.hasPages ? (isSuspense ? 'useInfinite' : 'useInfiniteDLE') : isSuspense ? 'useSuspense' : 'useDLE',
  )
  const call = `${ours}(${[subject, ...args].join(', ')})`
  const { text, edits } = writeResult(pass, query, call)
  writeCall(pass, query, text, [code, ...args].join(', '))
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
  if (query.config && query.config.passed.length === 0) {
    removeTaken(pass, file, query.config, path)
    pass.note('note', file, path.node, hook, `left out ...${query.config.local}: nobody passes it`)
  }
  noteDropped(pass, { file, node: path.node, what: hook }, options, DROPPED, OPTIONS_PAGE)
  pass.note('converted', file, path.node, hook, `${ours}(${code})`)
}

function writeEndpoint(pass: Pass, { file, options, use, call }: Query): { code: string; args: string[] } {
  const enabled = entryOf(options, 'enabled')
  const queryFn = entryOf(options, 'queryFn')
  const test = enabled ?? (queryFn?.kind === 'choice' ? queryFn.test : undefined)
  const code = use ? pass.endpoint(file, pass.placeOf(use)) : importFunction(pass, file, call!.name)
  const args = use ? pass.args(use, file) : call!.args.map((arg) => print(arg, { file }))
  if (!test || (test.kind === 'literal' && test.value === true)) {
    return { code, args }
  }
  if (args.length > 1) {
    throw new Unconvertible('"enabled" of a function with several arguments')
  }
  return { code, args: [conditional(print(test, { file }), args[0] ?? '{}', false)] }
}

/** Imports the endpoint that calls a function. */
export function importFunction(pass: Pass, file: Query['file'], name: string): string {
  pass.output.import(file, pass.project.specifier(file.path, pass.target), name)
  return name
}

/** The code of the call, and the edits where its result is read. */
function writeResult(pass: Pass, query: Query, text: string): { text: string; edits: FileEdit[] } {
  const member = queryMember(query)
  if (query.hasPages) {
    return { text, edits: rewriteItems(pass, query.sites, query.use!, member) }
  }
  if (!query.hook.includes('Suspense')) {
    const edits = query.sites.flatMap((site) => rewriteSite(site, member).map((edit) => ({ file: site.file, ...edit })))
    return { text, edits }
  }
  const edits = writeSuspense(query, member)
  const select = entryOf(query.options, 'select')
  if (!select) {
    return { text, edits }
  }
  if (select.kind !== 'function' || select.file !== query.file) {
    throw new Unconvertible('"select" is not a function of this module')
  }
  return { text: `${select.ref ? select.ref.name : `(${query.file.code(select.node)})`}(${text})`, edits }
}

// `const { data: todos } = useSuspenseQuery(…)` is `const todos = useSuspense(…)`.
function writeSuspense(query: Query, member: (name: string) => Member): FileEdit[] {
  const edits: FileEdit[] = []
  for (const site of query.sites) {
    if (site.kind === 'pattern') {
      const taken = takenBy(site.node)
      const [only] = taken
      if (taken.length !== 1 || only!.name !== 'data' || only!.node.value.type !== 'Identifier') {
        throw new Unconvertible('more than "data" of its result is used')
      }
      edits.push({
        file: site.file,
        start: site.node.start!,
        end: site.node.typeAnnotation?.start ?? site.node.end!,
        text: only!.local,
      })
    } else if (site.kind === 'member') {
      if (site.name !== 'data') {
        throw new Unconvertible('more than "data" of its result is used')
      }
      edits.push({ file: site.file, start: site.node.object.end!, end: site.node.end!, text: '' })
    } else if (site.kind === 'array') {
      member('[]')
    }
  }
  return edits
}

/** Replaces the call; polling is a hook of its own in front of it. */
function writeCall(pass: Pass, { file, path, options }: Query, text: string, args: string): void {
  const { start, end } = path.node as { start: number; end: number }
  if (!entryOf(options, 'refetchInterval')) {
    pass.output.edit(file, start, end, text)
    return
  }
  const statement = path.getStatementParent()!
  const indent = /[ \t]*$/.exec(file.text.slice(0, statement.node.start!))![0]
  const subscribe = `${pass.hook(file, 'useSubscription')}(${args})`
  const { parent } = path
  if (parent.type === 'ArrowFunctionExpression' && parent.body === path.node && !path.node.extra?.['parenthesized']) {
    const space = /\s*$/.exec(file.text.slice(0, start))![0].length
    const body = ` {\n${indent}  ${subscribe}\n${indent}  return ${text}\n${indent}}`
    pass.output.edit(file, start - space, end, body)
  } else if (statement.parentPath?.isBlockStatement()) {
    pass.output.edit(file, statement.node.start!, statement.node.start!, `${subscribe}\n${indent}`)
    pass.output.edit(file, start, end, text)
  } else {
    throw new Unconvertible('"refetchInterval" of a result that is returned at once')
  }
}
