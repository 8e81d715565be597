import type { Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import { nameOf } from './syntax.ts'

export const DATA_CLIENT = /^@data-client\//

const MODULES: { readonly [from: string]: string } = {
  '@data-client/rest': 'restitch',
  '@data-client/endpoint': 'restitch',
  '@data-client/core': 'restitch',
  '@data-client/normalizr': 'restitch',
  '@data-client/react': 'restitch/react',
  '@data-client/react/ssr': 'restitch/react/ssr',
  '@data-client/react/nextjs': 'restitch/react/nextjs',
  '@data-client/react/mock': 'restitch/mock',
  '@data-client/core/mock': 'restitch/mock',
  '@data-client/vue': 'restitch/vue',
  '@data-client/vue/test': 'restitch/vue/test',
  '@data-client/graphql': 'restitch/graphql',
  '@data-client/img': 'restitch/img',
  '@data-client/test': 'restitch/test',
  '@data-client/test/browser': 'restitch/test/browser',
}

const MISSING = new Set([
  'AbortOptimistic',
  'Index',
  'applyManager',
  'createFetch',
  'createReducer',
  'createSet',
  'initManager',
  'WeakEntityMap',
  'denormalizeCached',
  'inferResults',
  'isEntity',
  'validateInference',
  'StateContext',
  'StoreContext',
  'usePromisifiedDispatch',
  'useCacheState',
  'prepareStore',
  'ExternalDataProvider',
  'mapMiddleware',
  'PromiseifyMiddleware',
])

/**
 * Changes the imports. Two stores would not see each other's records, so the files move together: if one of them uses what
 * has no counterpart, all stay.
 */
export function convertDataClient(pass: Pass): void {
  const { project } = pass
  const edits: { file: SourceFile; start: number; end: number; text: string }[] = []
  let isBlocked = project.broken.size > 0
  for (const file of project.files.values()) {
    for (const node of file.program.node.body) {
      if (
        (node.type !== 'ImportDeclaration' &&
          node.type !== 'ExportNamedDeclaration' &&
          node.type !== 'ExportAllDeclaration') ||
        !node.source ||
        !DATA_CLIENT.test(node.source.value)
      ) {
        continue
      }
      const from = node.source.value
      const to = MODULES[from]
      const names =
        'specifiers' in node
          ? node.specifiers.flatMap((one) =>
              one.type === 'ImportSpecifier'
                ? [nameOf(one.imported)!]
                : one.type === 'ExportSpecifier'
                  ? [one.local.name]
                  : [],
            )
          : []
      const missing = names.filter((name) => MISSING.has(name))
      if (to === undefined || missing.length > 0) {
        isBlocked = true
        pass.note(
          'left',
          file,
          node,
          'import',
          `${missing.join(', ') || from} has no counterpart: see "What is not there" in docs/guide/from-data-client.md`,
        )
        continue
      }
      edits.push({ file, start: node.source.start! + 1, end: node.source.end! - 1, text: to })
      pass.note('converted', file, node, 'import', `${from} is ${to}`)
    }
    file.program.traverse({
      CallExpression(path) {
        const { callee, arguments: args } = path.node
        const isImport =
          callee.type === 'Import' ||
          /^(?:vi|jest)\.(?:mock|doMock|importActual|requireActual|unmock)$|^require$/.test(file.code(callee))
        const [first] = args
        if (isImport && first?.type === 'StringLiteral' && DATA_CLIENT.test(first.value)) {
          const to = MODULES[first.value]
          if (to === undefined) {
            isBlocked = true
            pass.note('left', file, path.node, 'import', `${first.value} has no counterpart`)
          } else {
            edits.push({ file, start: first.start! + 1, end: first.end! - 1, text: to })
          }
        }
        if (callee.type === 'Identifier' && /^use[A-Z]/.test(callee.name)) {
          const binding = path.scope.getBinding(callee.name)
          const imported = binding && project.importOf(file, binding)
          if (imported && DATA_CLIENT.test(imported.from)) {
            pass.note(
              'converted',
              file,
              path.node,
              callee.name,
              `${callee.name} of ${MODULES[imported.from] ?? imported.from}`,
            )
          }
        }
      },
      // The syntax of path-to-regexp 6, which older versions have: `/:id?` is `{/:id}`.
      ObjectProperty(path) {
        const { key, value } = path.node
        if (nameOf(key) === 'path' && value.type === 'StringLiteral' && /\/:\w+\?(?=\/|$)/.test(value.value)) {
          edits.push({
            file,
            start: value.start! + 1,
            end: value.end! - 1,
            text: value.value.replaceAll(/\/:(\w+)\?(?=\/|$)/g, '{/:$1}'),
          })
          pass.note('note', file, path.node, 'path', `${value.value}: an optional part is written in braces`)
        }
      },
    })
  }
  if (isBlocked) {
    const blocked = pass.notes.filter(({ kind }) => kind === 'converted')
    blocked.forEach((note) => {
      pass.notes.splice(pass.notes.indexOf(note), 1)
      pass.notes.push({ ...note, kind: 'left', text: 'stays with the others: all files move together' })
    })
    return
  }
  edits.forEach((edit) => pass.output.edit(edit.file, edit.start, edit.end, edit.text))
}
