import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type * as t from '@babel/types'
import { MigrateError } from './errors.ts'
import { bare, type Binding, type FunctionNode, isFunction, type NodePath, parseModule } from './syntax.ts'

const SOURCE = /\.[mc]?[jt]sx?$/
const EXTENSIONS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs']

/** One module of the app. */
export class SourceFile {
  readonly path: string
  readonly text: string
  readonly program: NodePath<t.Program>

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.program = parseModule(path, text)
  }

  readonly #paths = new Map<t.Node, NodePath>()
  /** The names of all type parameters: a type that mentions one says nothing about a response. */
  readonly typeParameters = new Set<string>()

  pathOf(node: t.Node): NodePath {
    if (this.#paths.size === 0) {
      this.#paths.set(this.program.node, this.program)
      this.program.traverse({
        enter: (path) => {
          this.#paths.set(path.node, path)
          if (path.node.type === 'TSTypeParameter') {
            this.typeParameters.add(path.node.name)
          }
        },
      })
    }
    return this.#paths.get(node)!
  }

  code(node: t.Node): string {
    return this.text.slice(node.start!, node.end!)
  }

  line(node: t.Node): number {
    return node.loc!.start.line
  }

  get isTyped(): boolean {
    return /\.[mc]?tsx?$/.test(this.path)
  }
}

/** A name at the top level of a module. */
export interface Ref {
  readonly file: SourceFile
  readonly name: string
}

/** An exported thing: the module that declares it, and its binding there. */
export interface Declared {
  readonly file: SourceFile
  readonly binding: Binding
}

/** The modules that the command is for. */
export class Project {
  readonly root: string
  readonly files = new Map<string, SourceFile>()
  /** Files that do not parse, with the reason. They stay as they are. */
  readonly broken = new Map<string, string>()
  readonly #importers = new Map<string, { file: SourceFile; binding: Binding }[]>()

  constructor(root: string, texts: ReadonlyMap<string, string>) {
    this.root = root
    for (const [path, text] of texts) {
      try {
        this.files.set(path, new SourceFile(path, text))
      } catch (error) {
        this.broken.set(path, (error as Error).message)
      }
    }
    for (const file of this.files.values()) {
      for (const binding of Object.values(file.program.scope.bindings)) {
        const found = this.importOf(file, binding)
        const declared = found && this.#exported(file, found.from, found.name)
        if (declared) {
          const key = this.#keyOf(declared)
          this.#importers.set(key, [...(this.#importers.get(key) ?? []), { file, binding }])
        }
      }
    }
  }

  static read(places: readonly string[]): Project {
    const texts = new Map<string, string>()
    const visit = (path: string): void => {
      if (statSync(path).isDirectory()) {
        for (const name of readdirSync(path).sort()) {
          if (name !== 'node_modules' && name !== 'dist' && !name.startsWith('.')) {
            visit(join(path, name))
          }
        }
      } else if (SOURCE.test(path) && !path.endsWith('.d.ts')) {
        texts.set(path, readFileSync(path, 'utf8'))
      }
    }
    for (const place of places) {
      if (!existsSync(place)) {
        throw new MigrateError(`${place} does not exist.`)
      }
      visit(place)
    }
    const [first = '.'] = places
    return new Project(statSync(first).isDirectory() ? first : dirname(first), texts)
  }

  /** The module and the name that a binding imports; '*' for a namespace. */
  importOf(_file: SourceFile, binding: Binding): { from: string; name: string } | undefined {
    const { node, parent } = binding.path
    if (parent?.type !== 'ImportDeclaration') {
      return undefined
    }
    const from = parent.source.value
    if (node.type === 'ImportSpecifier') {
      return { from, name: node.imported.type === 'Identifier' ? node.imported.name : node.imported.value }
    }
    return { from, name: node.type === 'ImportDefaultSpecifier' ? 'default' : '*' }
  }

  /** The declaration behind a binding: itself, or what it imports from a module of the app. */
  declaredBy(file: SourceFile, binding: Binding): Declared | undefined {
    const found = this.importOf(file, binding)
    return found ? this.#exported(file, found.from, found.name) : { file, binding }
  }

  /** All uses of a top-level binding, in its own module and in others. */
  referencesOf({ file, binding }: Declared): { file: SourceFile; path: NodePath }[] {
    const found = [{ file, binding }, ...(this.#importers.get(this.#keyOf({ file, binding })) ?? [])]
    return found.flatMap((place) =>
      place.binding.referencePaths.filter(isName).map((path) => ({ file: place.file, path })),
    )
  }

  /** The binding that a module exports under a name. */
  exported(file: SourceFile, name: string): Declared | undefined {
    for (const statement of file.program.node.body) {
      if (statement.type === 'ExportNamedDeclaration' && statement.source == null) {
        for (const specifier of statement.specifiers) {
          if (specifier.type === 'ExportSpecifier' && textOf(specifier.exported) === name) {
            const binding = file.program.scope.getBinding(specifier.local.name)
            return binding && this.declaredBy(file, binding)
          }
        }
        if (statement.declaration && declaredNames(statement.declaration).includes(name)) {
          const binding = file.program.scope.getBinding(name)
          return binding && { file, binding }
        }
      } else if (statement.type === 'ExportNamedDeclaration') {
        for (const specifier of statement.specifiers) {
          if (specifier.type === 'ExportSpecifier' && textOf(specifier.exported) === name) {
            return this.#exported(file, statement.source!.value, specifier.local.name)
          }
        }
      } else if (statement.type === 'ExportAllDeclaration') {
        const found = this.#exported(file, statement.source.value, name)
        if (found) {
          return found
        }
      } else if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
        const { declaration } = statement
        const id = declaration.type === 'Identifier' ? declaration : 'id' in declaration ? declaration.id : undefined
        const binding = id?.type === 'Identifier' ? file.program.scope.getBinding(id.name) : undefined
        return binding && { file, binding }
      }
    }
    return undefined
  }

  /** The function that a module exports as its default, if it has no name. */
  unnamedDefault(from: SourceFile, specifier: string): { node: FunctionNode; file: SourceFile } | undefined {
    const file = this.resolve(from, specifier)
    for (const statement of file?.program.node.body ?? []) {
      if (statement.type === 'ExportDefaultDeclaration') {
        const node = bare(statement.declaration)
        return isFunction(node) ? { node, file: file! } : undefined
      }
    }
    return undefined
  }

  /** The module that a specifier leads to. */
  resolve(from: SourceFile, specifier: string): SourceFile | undefined {
    const alias = /^[@~]\/(.*)$/.exec(specifier)
    if (!alias && !specifier.startsWith('.')) {
      return undefined
    }
    const base = alias ? resolve(this.root, alias[1]!) : resolve(dirname(from.path), specifier)
    const bases = [base, base.replace(/\.[mc]?jsx?$/, '')]
    for (const start of bases) {
      for (const path of [start, ...EXTENSIONS.flatMap((end) => [start + end, join(start, `index${end}`)])]) {
        const found = this.files.get(path)
        if (found) {
          return found
        }
      }
    }
    return undefined
  }

  fileOf(path: NodePath): SourceFile {
    const program = path.isProgram() ? path : path.findParent((parent) => parent.isProgram())
    return [...this.files.values()].find((file) => file.program.node === program?.node)!
  }

  /** How a module names another one, in the manner of its other imports. */
  specifier(from: string, to: string): string {
    const path = relative(dirname(from), to).replaceAll('\\', '/')
    const own = [...this.files.values()].flatMap((file) =>
      file.program.node.body.flatMap((node) =>
        node.type === 'ImportDeclaration' && node.source.value.startsWith('.') ? [node.source.value] : [],
      ),
    )
    const ending = own.some((name) => /\.tsx?$/.test(name))
      ? '$1'
      : own.some((name) => /\.jsx?$/.test(name))
        ? '.js'
        : ''
    const named = path.replace(/(\.[mc]?[jt]sx?)$/, ending)
    return named.startsWith('.') ? named : `./${named}`
  }

  #exported(file: SourceFile, specifier: string, name: string): Declared | undefined {
    const target = this.resolve(file, specifier)
    return target && this.exported(target, name)
  }

  #keyOf({ file, binding }: Declared): string {
    return `${file.path}#${binding.identifier.name}`
  }
}

// An export of a declaration counts as a reference, too.
function isName(path: NodePath): boolean {
  return path.isIdentifier() || path.isJSXIdentifier()
}

function textOf(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value
}

/** The names that a declaration declares. */
export function declaredNames(declaration: t.Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}
