import type { Pass } from './Pass.ts'

/** `<DataProvider>` inside the provider of the old library, or instead of it. */
export function provide(pass: Pass, isProvider: (from: string, name: string) => boolean, staysAlways: boolean): void {
  const isLeft =
    staysAlways ||
    pass.keepsProvider ||
    pass.excluded.size > 0 ||
    pass.notes.some(({ kind }) => kind === 'left' || kind === 'decide')
  let hasProvider = false
  for (const file of pass.project.files.values()) {
    file.program.traverse({
      JSXElement(path) {
        const { openingElement: opening, closingElement: closing } = path.node
        if (opening.name.type !== 'JSXIdentifier' || !closing) {
          return
        }
        hasProvider ||= opening.name.name === 'DataProvider'
        const binding = path.scope.getBinding(opening.name.name)
        const imported = binding && pass.project.importOf(file, binding)
        if (!imported || !isProvider(imported.from, imported.name)) {
          return
        }
        hasProvider = true
        if (/<DataProvider[\s>]/.test(file.code(path.node))) {
          return
        }
        const name = pass.hook(file, 'DataProvider')
        if (isLeft) {
          pass.output.edit(file, opening.end!, opening.end!, `<${name}>`)
          pass.output.edit(file, closing.start!, closing.start!, `</${name}>`)
        } else {
          pass.output.replace(file, opening, `<${name}>`)
          pass.output.replace(file, closing, `</${name}>`)
        }
        pass.note('converted', file, path.node, opening.name.name, isLeft ? 'DataProvider inside it' : 'DataProvider')
      },
    })
  }
  const first = pass.notes.find(({ kind }) => kind === 'converted')
  if (!hasProvider && first) {
    pass.notes.push({
      ...first,
      kind: 'decide',
      line: 1,
      what: 'DataProvider',
      text: 'no provider is in these files: put <DataProvider> around your app',
    })
  }
}
