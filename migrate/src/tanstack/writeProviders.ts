import type * as t from '@babel/types'
import type { Pass } from '../Pass.ts'
import type { SourceFile } from '../Project.ts'
import { nameOf, type NodePath } from '../syntax.ts'
import { CACHE_METHODS, TANSTACK } from './library.ts'
import { OPTIONS_PAGE } from './options.ts'

/** `<DataProvider>`: beside the old provider, or instead of it if nothing else needs that. */
export function writeProviders(pass: Pass): void {
  const isLeft =
    pass.keepsProvider ||
    pass.excluded.size > 0 ||
    pass.notes.some(({ kind, what }) => kind === 'left' || (kind === 'decide' && CACHE_METHODS.test(what)))
  if (!pass.notes.some(({ kind }) => kind === 'converted')) {
    return
  }
  let hasProvider = false
  for (const file of pass.project.files.values()) {
    file.program.traverse({
      NewExpression: (path) => noteClientOptions(pass, file, path),
      JSXElement(path) {
        const { name } = path.node.openingElement
        if (name.type !== 'JSXIdentifier' || !path.node.closingElement) {
          return
        }
        hasProvider ||= name.name === 'DataProvider'
        const binding = path.scope.getBinding(name.name)
        const imported = binding && pass.project.importOf(file, binding)
        if (imported && TANSTACK.test(imported.from) && imported.name === 'QueryClientProvider') {
          hasProvider = true
          writeProvider(pass, file, path, isLeft)
        }
      },
    })
  }
  if (!hasProvider) {
    const [file] = pass.project.files.values()
    pass.note(
      'decide',
      file!,
      file!.program.node,
      'DataProvider',
      'no QueryClientProvider is in these files: put <DataProvider> around your app',
    )
  }
}

/** Notes options of a client for all of its queries: they do not reach those of the store. */
function noteClientOptions(pass: Pass, file: SourceFile, path: NodePath<t.NewExpression>): void {
  const { callee, arguments: args } = path.node
  const binding = callee.type === 'Identifier' ? path.scope.getBinding(callee.name) : undefined
  const imported = binding && pass.project.importOf(file, binding)
  const [options] = args
  if (options && imported && TANSTACK.test(imported.from) && imported.name === 'QueryClient') {
    const names =
      options.type === 'ObjectExpression'
        ? options.properties.map((one) => nameOf('key' in one ? one.key : one.argument) ?? '…')
        : ['its options']
    pass.note(
      'decide',
      file,
      path.node,
      'QueryClient',
      `${names.join(', ')}: the store has options of its own, see ${OPTIONS_PAGE}`,
    )
  }
}

function writeProvider(pass: Pass, file: SourceFile, path: NodePath<t.JSXElement>, isLeft: boolean): void {
  const { openingElement: opening, closingElement: closing } = path.node
  const code = file.code(path.node)
  if (/<DataProvider[\s>]/.test(code)) {
    return
  }
  const name = pass.hook(file, 'DataProvider')
  const hasMore = /ReactQueryDevtools|PersistQuery|HydrationBoundary/.test(code)
  if (!isLeft && isOnlyUse(path) && !hasMore) {
    pass.output.replace(file, opening, `<${name}>`)
    pass.output.replace(file, closing!, `</${name}>`)
  } else {
    pass.output.edit(file, opening.end!, opening.end!, `<${name}>`)
    pass.output.edit(file, closing!.start!, closing!.start!, `</${name}>`)
  }
  pass.note('converted', file, path.node, 'QueryClientProvider', isLeft ? 'DataProvider inside it' : 'DataProvider')
}

/** Whether the client of a provider is used nowhere else. */
function isOnlyUse(path: NodePath<t.JSXElement>): boolean {
  const client = path.node.openingElement.attributes.find(
    (attribute) => attribute.type === 'JSXAttribute' && attribute.name.name === 'client',
  )
  const value =
    client?.type === 'JSXAttribute' && client.value?.type === 'JSXExpressionContainer'
      ? client.value.expression
      : undefined
  const own = value?.type === 'Identifier' ? path.scope.getBinding(value.name) : undefined
  return (
    own !== undefined &&
    own.referencePaths.length === 1 &&
    own.path.parentPath?.parentPath?.type !== 'ExportNamedDeclaration'
  )
}
