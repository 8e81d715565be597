import type * as t from '@babel/types'
import { Unconvertible } from './errors.ts'
import type { Evaluator } from './evaluate.ts'
import type { Project, SourceFile } from './Project.ts'
import { emptyRequest } from './requests.ts'
import { bare, type Binding, isFunction, type NodePath } from './syntax.ts'
import { entryOf, isMissing, type Lost, type Value } from './values.ts'

type Client = Value & { kind: 'client' }

/** A statement that changes the request or the response: without it, the converted request would be another one. */
const CHANGE =
  /(?:\.|\[['"])(?:headers|params|data|url|baseURL|withCredentials)\b[^=\n]*=[^=]|headers\??\.(?:set|append)\(/

/** Interceptors of axios: headers that every request has, whether only the body is returned, and what else they do. */
export function withInterceptors(
  project: Project,
  client: Client,
  declared: { file: SourceFile; binding: Binding },
  evaluatorAt: (site: NodePath) => Evaluator,
): Client {
  let found = client
  for (const { file, path } of project.referencesOf(declared)) {
    const use = path.parentPath?.parentPath?.parentPath
    const call = use?.parentPath
    if (!call?.isCallExpression() || use?.node.type !== 'MemberExpression') {
      continue
    }
    const text = file.code(use.node).slice(path.node.end! - use.node.start!)
    const [fn, onError] = call.node.arguments
    const read = { '.interceptors.request.use': readRequest, '.interceptors.response.use': readResponse }[text]
    if (!read) {
      continue
    }
    const inner = evaluatorAt(call)
    const lost: Lost[] = []
    inner.onUnread = (node, reason) => {
      if (CHANGE.test(file.code(node))) {
        throw new Unconvertible(`an interceptor changes what is not known: ${reason}`)
      }
      lost.push({ file, node })
    }
    if (fn && fn.type !== 'NullLiteral' && fn.type !== 'ArgumentPlaceholder') {
      const value = inner.value(fn, file, new Map())
      found = isMissing(value) ? found : read(found, inner, value)
    }
    if (onError && !onlyRejects(file, onError)) {
      lost.push({ file, node: onError })
    }
    found = { ...found, lost: [...found.lost, ...lost] }
  }
  return found
}

function readRequest(client: Client, inner: Evaluator, fn: Value): Client {
  const headers: Value & { kind: 'object' } = { kind: 'object', entries: [] }
  const config: Value & { kind: 'object' } = { kind: 'object', entries: [{ name: 'headers', value: headers }] }
  inner.call(fn, [config])
  const other = config.entries.find(({ name }) => !/^(?:headers|withCredentials)$/.test(name ?? '…'))
  if (other) {
    throw new Unconvertible(`an interceptor sets "${other.name}" of every request`)
  }
  const credentials = entryOf(config, 'withCredentials')
  return {
    ...client,
    headers: [...client.headers, ...headers.entries],
    options: [...client.options, ...(credentials ? [{ name: 'withCredentials', value: credentials }] : [])],
  }
}

function readResponse(client: Client, inner: Evaluator, fn: Value): Client {
  const result = inner.call(fn, [{ kind: 'response', library: client.library, request: emptyRequest() }])
  return { ...client, unwraps: client.unwraps || result.kind === 'result' }
}

/** `(error) => Promise.reject(error)` does what happens without it. */
function onlyRejects(file: SourceFile, node: t.Node): boolean {
  const fn = bare(node)
  if (!isFunction(fn)) {
    return fn?.type === 'NullLiteral' || file.code(node) === 'undefined'
  }
  return /^\{?\s*(?:return\s+)?(?:Promise\.reject\(\w+\)|throw \w+);?\s*\}?$/.test(file.code(fn.body))
}
