import { addComment } from '../addComment.ts'
import { addController } from '../addController.ts'
import { GUIDE, type Pass } from '../Pass.ts'
import type { ClientCall } from './findClientCalls.ts'
import type { Query } from './readQuery.ts'
import { isWithin, showsEntity, type Targets, targetsOf } from './targets.ts'
import { importFunction } from './writeQuery.ts'

const RESET = 'void controller.resetEntireStore(), '

/** A call of a client that stays after its mutation is converted, or stands outside of mutations. */
export function writeClientCall(pass: Pass, call: ClientCall, queries: readonly Query[], entity?: string): void {
  const { file, path, method } = call
  if (method === 'clear' && !call.client.scope.path.isProgram()) {
    writeClear(pass, call)
  } else if (!/^(?:invalidateQueries|refetchQueries)$/.test(method)) {
    noteLeft(pass, call)
  } else {
    const targets = targetsOf(pass, call, queries)
    if (targets.isUnknown) {
      pass.note(
        'decide',
        file,
        path.node,
        method,
        'its key is not known: expire the endpoints that it means with controller.expireAll',
      )
      addComment(pass, file, path, `expire the endpoints that this key means: controller.expireAll(endpoint)`)
    } else {
      writeInvalidation(pass, call, targets, entity)
    }
  }
}

function writeClear(pass: Pass, { file, path, method }: ClientCall): void {
  // An earlier run has been here.
  if (file.text.slice(0, path.node.start!).endsWith(RESET)) {
    return
  }
  addController(pass, file, path)
  const statement = path.parentPath
  const end = statement?.isExpressionStatement() ? statement.node : path.node
  pass.output.edit(file, path.node.start!, path.node.start!, RESET)
  pass.note('note', file, end, method, 'also resets the store')
}

/** A method that has no counterpart with a key. In a mutation that stays it is at home. */
function noteLeft(pass: Pass, { file, path, method }: ClientCall): void {
  const isAtHome = pass
    .callsOf()
    .some(
      (hook) =>
        hook.name === 'useMutation' &&
        hook.file === file &&
        isWithin(path.node, hook.path.node) &&
        pass.isExcluded(file, hook.path.node),
    )
  if (!isAtHome && /^(?:set|get|remove|reset)/.test(method)) {
    pass.note('left', file, path.node, method, `stays on the old library: write it with a controller. ${GUIDE}`)
    const place = `${method} in ${file.path}:${file.line(path.node)} uses its key`
    const isInTheWay = [...pass.excluded.values()].some((reason) => reason.startsWith(place))
    if (!isInTheWay && !pass.notes.some(({ kind }) => kind === 'converted')) {
      return
    }
    addComment(
      pass,
      file,
      path,
      `${method}: the queries of this key stay on the old library because of this call (controller.set, controller.get)`,
    )
  }
}

function writeInvalidation(
  pass: Pass,
  call: ClientCall,
  { touched, others }: Targets,
  entity: string | undefined,
): void {
  const { file, path, method } = call
  const stale = touched.filter((query) => !showsEntity(pass, query, entity))
  if (stale.length === 0) {
    if (touched.length > 0 && others.length === 0) {
      pass.note('note', file, path.node, method, 'deleted: the store keeps what it reaches right')
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
    addComment(pass, file, path, 'these queries are endpoints now: expire them with controller.expireAll')
    return
  }
  const codes = [
    ...new Set(
      stale.map(({ use, call: own }) =>
        use ? pass.endpoint(file, pass.placeOf(use)) : importFunction(pass, file, own!.name),
      ),
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
