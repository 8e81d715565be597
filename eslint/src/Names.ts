import type { Scope, SourceCode } from 'eslint'
import { type Context, isClass, nameOf, type Node, unwrap } from './ast.ts'

type Variable = Scope.Variable

/** The imports of a file from the library, and what its names stand for. */
export class Names {
  readonly source: SourceCode
  readonly filename: string
  /** For each local name the imported one; `*` for a namespace. */
  private readonly imports: Map<string, string> = new Map()
  private readonly from: Map<string, string> = new Map()

  constructor(source: SourceCode, filename: string) {
    this.source = source
    this.filename = filename
    for (const node of source.ast.body as Node[]) {
      const from: unknown = node.type === 'ImportDeclaration' && node['source'].value
      if (typeof from !== 'string' || !/^restitch(?:\/|$)/.test(from) || node['importKind'] === 'type') {
        continue
      }
      for (const { type, local, imported, importKind } of node['specifiers']) {
        if (importKind !== 'type' && type !== 'ImportDefaultSpecifier') {
          this.imports.set(local.name, type === 'ImportSpecifier' ? (imported.name ?? imported.value) : '*')
          this.from.set(local.name, from)
        }
      }
    }
  }

  /** The variable that an identifier means. */
  variableOf(identifier: Node): Variable | undefined {
    for (
      let scope: Scope.Scope | null = this.source.getScope(identifier as Parameters<SourceCode['getScope']>[0]);
      scope;
      scope = scope.upper
    ) {
      const found = scope.set.get(identifier['name'])
      if (found) {
        return found
      }
    }
    return undefined
  }

  /** Where a variable is declared, if it has one value for ever: a `const`, or a `let` that nothing writes to. */
  declarationOf(identifier: Node): { name: Node; type: string; node: Node } | undefined {
    const variable = this.variableOf(identifier)
    const [definition] = variable?.defs ?? []
    if (!variable || !definition || variable.defs.length > 1) {
      return undefined
    }
    return variable.references.some((reference) => reference.isWrite() && !reference.init)
      ? undefined
      : { name: definition.name as Node, type: definition.type, node: definition.node as Node }
  }

  /** The name under which the library exports this expression: `Entity`, `restitch.Entity`, `schema.Entity`. */
  importOf(node: Node): string | undefined {
    const at = unwrap(node)
    if (at.type === 'Identifier') {
      const imported = this.imports.get(at['name'])
      return imported !== undefined && imported !== '*' && this.isImport(at) ? imported : undefined
    }
    if (at.type === 'MemberExpression' && at['object'].type === 'Identifier') {
      const imported = this.imports.get(at['object'].name)
      const isNamespace = imported === '*' || imported === 'schema'
      return isNamespace && this.isImport(at['object']) ? nameOf(at) : undefined
    }
    return undefined
  }

  /** The entry that this file imports a name from. */
  entryOf(identifier: Node): string | undefined {
    return this.isImport(identifier) ? this.from.get(identifier['name']) : undefined
  }

  /** The name of the library's function, class or hook that is called here. */
  calleeOf(node: Node): string | undefined {
    return node.type === 'CallExpression' || node.type === 'NewExpression' ? this.importOf(node['callee']) : undefined
  }

  /** The class of the library that a class extends, itself or through others of this file. */
  baseOf(node: Node, depth = 0): string | undefined {
    const superClass: Node | undefined = node['superClass']
    if (!superClass || depth > 9) {
      return undefined
    }
    const at = unwrap(superClass)
    const imported = this.importOf(at)
    if (imported || at.type !== 'Identifier') {
      return imported
    }
    const parent = this.classOf(at)
    return parent && this.baseOf(parent, depth + 1)
  }

  /** The class of this file that an identifier means. */
  classOf(identifier: Node): Node | undefined {
    const declaration = this.declarationOf(identifier)
    if (declaration?.type === 'ClassName') {
      return declaration.node
    }
    const init: Node | undefined = declaration?.type === 'Variable' ? declaration.node['init'] : undefined
    return init && isClass(init) ? init : undefined
  }

  private isImport(identifier: Node): boolean {
    return this.variableOf(identifier)?.defs[0]?.type === 'ImportBinding'
  }
}

const known = new WeakMap<SourceCode, Names>()

/** The names of a file, or `undefined` if it imports nothing from the library: no rule has to look at it. */
export function readNames({ sourceCode, filename }: Context): Names | undefined {
  const isUser = (sourceCode.ast.body as Node[]).some(
    (node) => node.type === 'ImportDeclaration' && /^restitch(?:\/|$)/.test(String(node['source'].value)),
  )
  if (!isUser) {
    return undefined
  }
  const names = known.get(sourceCode) ?? new Names(sourceCode, filename)
  known.set(sourceCode, names)
  return names
}
