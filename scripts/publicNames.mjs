// Reads the surface of the built package: the declarations that an entry point leads to, and the names of their members.
// Declarations, not files: the file of a public class also declares what only the library itself uses.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'
import { ENTRIES } from './entries.mjs'
import { visit } from './syntax.mjs'

/** `declarations` as `controller/View.ts View`, `members` of all of them. */
export function readPublicNames() {
  const declarations = new Set()
  const members = new Set()
  const files = new Map()
  const open = ENTRIES.map(({ built }) => ({ file: built.replace(/\.js$/, '.d.ts'), name: '*' }))
  for (const { file, name } of open) {
    const module = files.get(file) ?? readModule(file)
    files.set(file, module)
    if (name === '*') {
      open.push(...[...module.exports].map((exported) => ({ file, name: exported })))
      continue
    }
    const id = `${file.replace(/^dist\//, '').replace(/\.d\.ts$/, '.ts')} ${name}`
    const source = module.imports.get(name)
    if (declarations.has(id) || (!source && !module.declared.has(name))) {
      continue
    }
    declarations.add(id)
    open.push(...(source ? [source] : []))
    for (const node of module.declared.get(name) ?? []) {
      open.push(...readDeclaration(node, file, members))
    }
  }
  return { declarations, members }
}

/** `exports` are names, `imports` lead to other files, `declared` has the nodes of each name. */
function readModule(file) {
  const module = { exports: new Set(), imports: new Map(), declared: new Map() }
  const declare = (declaration) => {
    for (const { name } of namesOf(declaration)) {
      module.declared.set(name, [...(module.declared.get(name) ?? []), declaration])
    }
  }
  for (const node of parseSync(file, readFileSync(file, 'utf8')).program.body) {
    const from = node.source && targetOf(file, node.source.value)
    if (node.type === 'ImportDeclaration') {
      for (const { local, imported } of from ? node.specifiers : []) {
        module.imports.set(local.name, { file: from, name: imported?.name ?? '*' })
      }
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      declare(node.declaration)
      for (const { name } of namesOf(node.declaration)) {
        module.exports.add(name)
      }
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of node.specifiers) {
        module.exports.add(exported.name)
        if (from || local.name !== exported.name) {
          module.imports.set(exported.name, { file: from ?? file, name: local.name })
        }
      }
    } else {
      declare(node)
    }
  }
  return module
}

function namesOf(declaration) {
  const ids = declaration.declarations?.map(({ id }) => id) ?? [declaration.id]
  return ids.filter((id) => id?.type === 'Identifier')
}

/** Adds the members, and returns the names that the declaration refers to. */
function readDeclaration(declaration, file, members) {
  const used = []
  visit(declaration, (node, parent, key) => {
    const isMember = key === 'key' && !parent.computed
    if (node.type === 'Identifier' && (isMember || key === 'property' || key === 'right')) {
      members.add(node.name)
    }
    if (node.type === 'Identifier' && !isMember) {
      used.push({ file, name: node.name })
    }
    if (node.type === 'Literal' && typeof node.value === 'string') {
      members.add(node.value)
    }
    if (node.type === 'TSImportType') {
      const from = targetOf(file, (node.source ?? node.argument.literal).value)
      used.push(...(from ? [{ file: from, name: node.qualifier?.name ?? '*' }] : []))
    }
  })
  return used
}

function targetOf(file, path) {
  return path.startsWith('.') ? posix.join(posix.dirname(file), path.replace(/\.js$/, '.d.ts')) : undefined
}
