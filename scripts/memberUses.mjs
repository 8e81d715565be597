// Where the sources use the names of members, and whose members they are, as the compiler sees it.
// The compiler is the one of tests/types-5.4: later ones have no interface for programs that is stable.
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { ENTRIES, PLATFORM_FILES } from './entries.mjs'

const ts = createRequire(resolve('tests/types-5.4/package.json'))('typescript')

/**
 * For each name of a member: `owners`, the declarations that have it, as `controller/View.ts View`, and `doubts`, the places
 * where the value of a user, or of the platform, may have it.
 */
export function readMemberUses() {
  const program = ts.createProgram(
    [...ENTRIES, ...PLATFORM_FILES].map(({ source }) => source),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      customConditions: ['restitch-source'],
    },
  )
  const checker = program.getTypeChecker()
  const uses = new Map()
  const root = resolve('src')
  for (const file of program.getSourceFiles()) {
    if (file.fileName.startsWith(root) || !file.fileName.startsWith('/')) {
      visit(file)
    }
  }
  return uses

  function visit(node) {
    if (ts.isIdentifier(node) && isMemberName(node)) {
      const use = uses.get(node.text) ?? { owners: new Set(), doubts: [] }
      uses.set(node.text, use)
      const fault = judge(node, use)
      if (fault) {
        const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart())
        use.doubts.push(`${nameOf(node.getSourceFile())}:${line + 1} ${fault}`)
      }
    }
    ts.forEachChild(node, visit)
  }

  /** Adds the owners; returns what is wrong, if anything is. */
  function judge(node, use) {
    const { parent } = node
    if (ts.isPropertyAccessExpression(parent)) {
      return addOwners(checker.getSymbolAtLocation(node), use)
    }
    if (ts.isBindingElement(parent)) {
      const type = checker.getTypeAtLocation(parent.parent)
      return addOwners(propertyOf(type, node.text), use)
    }
    const literal = parent.parent
    if (ts.isObjectLiteralElement(parent) && ts.isObjectLiteralExpression(literal)) {
      return judgeKey(node, literal, use)
    }
    return addOwners(checker.getSymbolAtLocation(node), use)
  }

  // The type that an object literal is written for says whose members these are.
  function judgeKey(node, literal, use) {
    if (isPattern(literal)) {
      return addOwners(propertyOf(checker.getTypeAtLocation(literal), node.text), use)
    }
    addOwners(checker.getTypeAtLocation(literal).getProperty(node.text), use)
    const type = checker.getContextualType(literal)
    if (!type) {
      return undefined
    }
    const wanted = propertyOf(checker.getNonNullableType(type), node.text)
    return wanted ? addOwners(wanted, use) : `goes where any member may be: ${checker.typeToString(type).slice(0, 60)}`
  }

  function propertyOf(type, name) {
    const own = type.getProperty(name) ?? checker.getApparentType(type).getProperty(name)
    if (own || !type.isUnion()) {
      return own
    }
    // Of a union, those that have it.
    const found = type.types.map((one) => one.getProperty(name)).filter(Boolean)
    return found.length > 0 ? { getDeclarations: () => found.flatMap((one) => one.getDeclarations() ?? []) } : undefined
  }

  function addOwners(symbol, use) {
    const declarations = symbol?.getDeclarations() ?? []
    if (declarations.length === 0) {
      return 'is read from a value without a type'
    }
    for (const declaration of declarations) {
      const file = declaration.getSourceFile()
      if (
        program.isSourceFileFromExternalLibrary(file) ||
        program.isSourceFileDefaultLibrary(file) ||
        file.isDeclarationFile
      ) {
        return `belongs to ${file.fileName.split('/').at(-1)}`
      }
      if (
        ts.isSourceFile(declaration.parent) ||
        ts.isVariableDeclaration(declaration) ||
        ts.isExportSpecifier(declaration)
      ) {
        return 'is an export of a module'
      }
      if (isAsserted(declaration)) {
        return `belongs to a value that ${nameOf(file)} asserts a type of`
      }
      use.owners.add(`${nameOf(file)} ${ownerOf(declaration)}`)
    }
    return undefined
  }

  function nameOf(file) {
    return relative(root, resolve(file.fileName)).replaceAll('\\', '/')
  }
}

function isMemberName(node) {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) {
    return parent.name === node
  }
  if (ts.isBindingElement(parent)) {
    const isObject = ts.isObjectBindingPattern(parent.parent)
    return isObject && (parent.propertyName ?? (parent.dotDotDotToken ? undefined : parent.name)) === node
  }
  const isMember = ts.isObjectLiteralElement(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent)
  return isMember && parent.name === node
}

// `({ a, b } = value)`
function isPattern(literal) {
  let node = literal
  while (ts.isParenthesizedExpression(node.parent)) {
    node = node.parent
  }
  return (
    ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  )
}

/** `globalThis as { report?: … }`: a value from elsewhere. */
function isAsserted(declaration) {
  let node = declaration
  while (ts.isTypeNode(node) || ts.isTypeElement(node)) {
    node = node.parent
  }
  return node !== declaration && ts.isAsExpression(node)
}

/** The class, interface or type that declares a member; none for one of an object literal, whose type says more. */
function ownerOf(declaration) {
  let node = declaration
  while (node.parent && !ts.isObjectLiteralExpression(node.parent) && !ts.isBlock(node.parent)) {
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      return node.name?.text ?? ''
    }
    node = node.parent
  }
  return ''
}
