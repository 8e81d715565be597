import type * as t from '@babel/types'
import type { Use } from './Api.ts'
import { Unconvertible } from './errors.ts'
import type { FileEdit, Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import { type Member, rewriteSite, type Site, takenBy } from './result.ts'
import type { NodePath } from './syntax.ts'
import { print, type Value } from './values.ts'

/** A hook that reads a request, of any library. */
export interface Read {
  readonly file: SourceFile
  readonly path: NodePath<t.CallExpression>
  readonly hook: string
  readonly use: Use
  /** Without it, the request is sent always. */
  readonly test: Value | undefined
  readonly isNegated?: boolean
  readonly isSuspense: boolean
  readonly keepsPrevious: boolean
  readonly isPolled: boolean
  readonly sites: readonly Site[]
  readonly member: (name: string) => Member
}

/** `useDLE(Todos.getList, { done })`, and the members that are read. */
export function writeRead(pass: Pass, read: Read): void {
  const { file, path, use, test, sites } = read
  const code = pass.endpoint(file, pass.placeOf(use))
  let args = pass.args(use, file)
  if (test) {
    args = [conditional(print(test, { file }), args[0] ?? '{}', read.isNegated ?? false)]
  }
  const ours = pass.hook(file, read.isSuspense ? 'useSuspense' : 'useDLE')
  const subject = read.keepsPrevious && !read.isSuspense ? `{ endpoint: ${code}, keepPrevious: true }` : code
  let text = `${ours}(${[subject, ...args].join(', ')})`
  let start = path.node.start!
  if (read.isPolled) {
    const statement = path.getStatementParent()!
    const indent = /[ \t]*$/.exec(file.text.slice(0, statement.node.start!))![0]
    const subscribe = `${pass.hook(file, 'useSubscription')}(${[code, ...args].join(', ')})`
    if (
      path.parent.type === 'ArrowFunctionExpression' &&
      path.parent.body === path.node &&
      !path.node.extra?.['parenthesized']
    ) {
      start -= /\s*$/.exec(file.text.slice(0, start))![0].length
      text = ` {\n${indent}  ${subscribe}\n${indent}  return ${text}\n${indent}}`
    } else if (statement.parentPath?.isBlockStatement()) {
      pass.output.edit(file, statement.node.start!, statement.node.start!, `${subscribe}\n${indent}`)
    } else {
      throw new Unconvertible('polling of a result that is returned at once')
    }
  }
  const edits = sites.flatMap((site) =>
    read.isSuspense ? wholeData(site) : rewriteSite(site, read.member).map((edit) => ({ file: site.file, ...edit })),
  )
  pass.output.edit(file, start, path.node.end!, text)
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
  pass.note('converted', file, path.node, read.hook, `${ours}(${code})`)
}

/** `cond ? {…} : null` */
export function conditional(condition: string, args: string, isNegated: boolean): string {
  const plain = condition.replace(/^!!/, '').replace(/^Boolean\((.*)\)$/, '$1')
  const test = /[?]|=>/.test(plain.replaceAll('?.', '')) ? `(${plain})` : plain
  if (!isNegated) {
    return `${test} ? ${args} : null`
  }
  return /^!\w[\w.]*$/.test(test) ? `${test.slice(1)} ? ${args} : null` : `${test} ? null : ${args}`
}

function wholeData(site: Site): FileEdit[] {
  if (site.kind === 'pattern') {
    const taken = takenBy(site.node)
    const [only] = taken
    if (taken.length === 1 && only!.name === 'data' && only!.node.value.type === 'Identifier') {
      return [{ file: site.file, start: site.node.start!, end: site.node.end!, text: only!.local }]
    }
  } else if (site.kind === 'member' && site.name === 'data') {
    return [{ file: site.file, start: site.node.object.end!, end: site.node.end!, text: '' }]
  }
  throw new Unconvertible('more than "data" of its result is used')
}

/** A constant option of an endpoint, such as an interval. */
export function setConstant(pass: Pass, use: Use, name: string, value: Value): void {
  const text =
    value.kind === 'literal'
      ? String(value.value)
      : value.kind === 'code' && /^(?:[\d_ *+]+|Infinity)$/.test(value.text)
        ? value.text
        : undefined
  if (text === undefined) {
    throw new Unconvertible(`"${name}" of the endpoint would depend on the component`)
  }
  pass.api.operations.get(use.operation)!.options.set(name, text)
}
