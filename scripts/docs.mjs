// Keeps the documents true: every `ts` block and every `@example` compiles, links lead somewhere,
// and every error code has a section in docs/errors.md and a test.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ENTRIES, namesOf } from './entries.mjs'
import { readBlocks } from './frameworks.mjs'
import { anchorsOf } from './headings.mjs'
import { readLearn } from './learn.mjs'

// An export without a page or a section in docs/api/ fails the check.
const PAGES_REQUIRED = true
// Inside the package but outside node_modules, so that `restitch` in a block leads to src/.
const FOLDER = '.cache/docs'
// Blocks for Solid have its types of elements.
const SOLID = /from '(?:solid-js|restitch\/solid)'/
const SOLID_JSX = '/** @jsxImportSource solid-js */ '
// The code for Vue is compiled on its own: its compiler needs another version of TypeScript, which is installed in docs/.
const VUE_FOLDER = '.cache/docs-vue'
const VUE_TSC = 'docs/node_modules/vue-tsc/bin/vue-tsc.js'
// It takes two thirds of the time, so it runs before a release: `node scripts/docs.mjs --vue`.
const hasVue = process.argv.includes('--vue')
// Pages outside docs/.
const PAGES = ['README.md', ...readdirSync('skills').map((name) => `skills/${name}/SKILL.md`)]
// The names that an example may use without declaring them, such as User, getUser and controller.
const WORLD = 'scripts/world.tsx'

// A code is a literal of words with dashes, wherever it stands: `fail('code', ...)`, a helper's argument, `code: 'code'`;
// or it is part of the text of a warning: docs/errors.md#code.
const CODE = /\bfail\(\s*'([a-z\d-]+)'|\bcode\s*[:=]\s*'([a-z\d-]+)'|'([a-z]+(?:-[a-z]+)+)'|errors\.md#([a-z\d-]+)/g
const NOT_CODES = new Set([
  'bottom-right',
  'cache-control',
  'composable-result',
  'content-encoding',
  'content-length',
  'content-type',
  'data-client-data',
  'data-id',
  'data-restitch',
  'data-testid',
  'if-match',
  'invalid-params',
  'no-cache',
  'no-store',
  'react-dom',
  'restitch-data',
  'retry-after',
  'solid-js',
  'suspense-fallback',
])

// The reasons of doubts are words with dashes, too.
const REASONS = [...readFileSync('src/rows/doubt.ts', 'utf8').matchAll(/^ {2}\| '([a-z-]+)'$/gm)].map(
  ([, name]) => name,
)

const faults = []
const [blocks, codes, pages, links] = [checkBlocks(), checkCodes(), checkPages(), checkLinks()]
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log(`${blocks} ts blocks and examples compile
${codes} error codes have a section and a test
${pages} exported names have a page or a section in docs/api
${links} links lead somewhere`)

// Each block becomes a module of its own, padded so that its lines have the numbers of the page.
function checkBlocks() {
  for (const folder of [FOLDER, VUE_FOLDER]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  let count =
    writeApps('React', FOLDER) + writeApps('Vue', VUE_FOLDER) + writeApps('Solid', `${FOLDER}/Solid`, SOLID_JSX)
  for (const page of [...PAGES, ...list('docs', /\.md$/).filter((page) => !page.startsWith(join('docs', 'learn')))]) {
    for (const { kind, line, text, framework, name } of readBlocks(readFileSync(page, 'utf8'))) {
      if (!/^(?:tsx?|vue)$/.test(kind)) {
        continue
      }
      const isVue = framework === 'Vue' || kind === 'vue'
      const head = SOLID.test(text) ? SOLID_JSX : ''
      for (const folder of name && !framework && !isVue ? [FOLDER, VUE_FOLDER] : [isVue ? VUE_FOLDER : FOLDER]) {
        writeModule(folder, page, line, kind, head, text, name)
      }
      count += 1
    }
  }
  count += writeExamples()
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      declaration: false,
      isolatedDeclarations: false,
      jsx: 'react-jsx',
      module: 'esnext',
      moduleResolution: 'bundler',
      rewriteRelativeImportExtensions: false,
      rootDir: '../..',
      // The configuration of the generator, whose package is not installed here, and a package that only one page speaks of.
      paths: {
        'restitch-openapi': ['../../openapi/src/config.ts'],
        msw: ['../../tests/msw/node_modules/msw/lib/core/index.d.mts'],
      },
    },
    include: ['.'],
  }
  compile('node_modules/typescript/bin/tsc', FOLDER, config)
  if (hasVue) {
    compile(VUE_TSC, VUE_FOLDER, { ...config, vueCompilerOptions: { strictTemplates: true } })
  }
  return count
}

function compile(compiler, folder, config) {
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [compiler, '-p', folder, '--pretty', 'false', '--noEmit'],
    {
      encoding: 'utf8',
    },
  )
  if (status && !stdout) {
    faults.push(stderr)
  }
  // A fault in src/ itself is reported by the step that checks the types there.
  const ours = stdout.split(/\n(?=\S)/).filter((fault) => fault.startsWith(folder))
  const name = (_, page, line) => `${page.replaceAll('!', '/')}:${line}`
  faults.push(
    ...ours.map((fault) => fault.trim().replace(/^\.cache\/docs(?:-vue)?\/(.+?)\/\d+\.\w+\((\d+),\d+\)/, name)),
  )
}

// The app of docs/learn as it is after each page. Gives the number of its blocks. The one of Svelte is checked by scripts/docsSvelte.mjs.
function writeApps(framework, root, head = '') {
  let count = 0
  for (const { page, files, loose } of readLearn(framework)) {
    const folder = join(root, page.replaceAll(/[\\/]/g, '!'))
    // The plugins of Vite are not installed here.
    for (const [name, text] of Object.entries(files).filter(([name]) => name !== 'vite.config.ts')) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), name.endsWith('.tsx') ? head + text : text)
    }
    for (const { kind, line, text } of loose) {
      writeFileSync(join(folder, 'src', `line-${line}.${kind}`), `${head}${text}export {}\n`)
    }
    const blocks = readBlocks(readFileSync(page, 'utf8'))
    count += blocks.filter(
      (block) => /^(?:tsx?|vue)$/.test(block.kind) && (block.framework ?? 'React') === framework,
    ).length
  }
  return count
}

// The `@example` of a doc comment. It may use every exported name, and those of WORLD, without an import.
function writeExamples() {
  const imports = importsOf(ENTRIES.toReversed())
  // Frameworks share names: each has its own.
  const own = ({ source }) => ENTRIES.filter((entry) => frameworkOf(entry.source) === frameworkOf(source))
  const importsBy = new Map(
    ENTRIES.filter(({ source }) => frameworkOf(source)).map((entry) => [
      frameworkOf(entry.source),
      importsOf([...ENTRIES.toReversed(), ...own(entry)]),
    ]),
  )
  writeFileSync(`${FOLDER}/world.tsx`, readFileSync(WORLD))
  let count = 0
  for (const file of list('src', /\.tsx?$/).filter((file) => !isTest(file))) {
    const text = readFileSync(file, 'utf8')
    for (const { index, 0: comment } of text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?@example\b[\s\S]*?\*\//g)) {
      const start = comment.indexOf('@example')
      const lines = comment.slice(start).split('\n').slice(1)
      const end = lines.findIndex((line) => /^\s*\*\s*(?:@|\/)/.test(line))
      const block = lines
        .slice(0, end)
        .map((line) => line.replace(/^\s*\* ?/, ''))
        .join('\n')
      const kind = /<\/|\/>|<DataProvider|<RestitchProvider/.test(block) ? 'tsx' : 'ts'
      writeModule(
        FOLDER,
        file,
        lineAt(text, index + start),
        kind,
        `${frameworkOf(file) === 'solid' ? SOLID_JSX : ''}${importsFor(block, importsBy.get(frameworkOf(file)) ?? imports)}`,
        `${block}\n`,
      )
      count += 1
    }
  }
  return count
}

// For each name how it is imported; a later entry wins.
function importsOf(entries) {
  const imports = new Map()
  for (const { id, source } of entries) {
    const { types, values } = namesOf(source)
    types.forEach((name) => imports.set(name, `import type { ${name} } from '${id}'; `))
    values.forEach((name) => imports.set(name, `import { ${name} } from '${id}'; `))
  }
  for (const name of allNames(WORLD)) {
    imports.set(name, `import { ${name} } from '../world.tsx'; `)
  }
  return imports
}

/** The framework with names that others have, too. React has those of `imports`. */
function frameworkOf(file) {
  return /^src\/(angular|solid|svelte|vue)\//.exec(file.replaceAll('\\', '/'))?.[1]
}

function importsFor(block, imports) {
  const names = [
    ...block.matchAll(/\b(?:class|const|function|type|interface|import) +(\w+|[{[][\w\s,]+[}\]] (?:=|from))/g),
  ]
  const declared = new Set(names.flatMap(([, name]) => name.match(/\w+/g)))
  return [...new Set(block.match(/[A-Za-z_]\w*/g))]
    .filter((name) => !declared.has(name))
    .map((name) => imports.get(name) ?? '')
    .join('')
}

// The modules of a page have a folder. The first line of one holds its imports, and those up to `line` are empty.
function writeModule(root, page, line, kind, imports, block, name = `${line}.${kind}`) {
  const folder = join(root, page.replaceAll(/[\\/]/g, '!'))
  mkdirSync(folder, { recursive: true })
  const end = kind === 'vue' ? '' : 'export {}\n'
  writeFileSync(join(folder, name), `${imports}${'\n'.repeat(line)}${block}${end}`)
}

function lineAt(text, index) {
  return text.slice(0, index).split('\n').length
}

function allNames(file) {
  return Object.values(namesOf(file)).flat()
}

// Three lists that have to agree: the codes the sources raise, the sections of docs/errors.md, the codes in tests.
function checkCodes() {
  const raised = new Set()
  for (const file of list('src', /\.ts$/).filter((file) => !isTest(file) && !file.endsWith('cases.ts'))) {
    for (const [, ...found] of readFileSync(file, 'utf8').matchAll(CODE)) {
      raised.add(found.find(Boolean))
    }
  }
  for (const name of [...NOT_CODES, ...REASONS]) {
    raised.delete(name)
  }
  const sections = new Set(
    [...readFileSync('docs/errors.md', 'utf8').matchAll(/^## `?([a-z\d-]+)`?$/gm)].map(([, code]) => code),
  )
  const tests = [...list('src', /\.ts$/), ...list('tests', /\.ts$/)]
    .filter(isTest)
    .map((file) => readFileSync(file, 'utf8'))
  for (const code of raised) {
    if (!sections.has(code)) {
      faults.push(`docs/errors.md has no section "## ${code}"`)
    }
    if (!tests.some((text) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text))) {
      faults.push(`no test raises '${code}'`)
    }
  }
  for (const code of sections) {
    if (!raised.has(code)) {
      faults.push(`docs/errors.md explains "${code}", which nothing raises`)
    }
  }
  return raised.size
}

function checkPages() {
  const names = new Set(ENTRIES.flatMap(({ source }) => allNames(source)))
  const found = documentedNames()
  // Names that differ in case alone, as `resource` and `Resource`, share a page: not every file system holds two.
  const pages = list('docs/api', /\.md$/).map((page) => page.toLowerCase())
  for (const page of pages.filter((page, index) => pages.indexOf(page) < index)) {
    faults.push(`${page} differs from another page in case alone`)
  }
  const missing = [...names].filter((name) => !found.has(name.toLowerCase()))
  if (PAGES_REQUIRED) {
    faults.push(...missing.map((name) => `docs/api has neither a page nor a section named ${name}`))
  }
  return `${names.size - missing.length} of ${names.size}`
}

// The names, in lower case, that have a page or a section in docs/api.
function documentedNames() {
  const found = new Set()
  for (const page of list('docs/api', /\.md$/)) {
    found.add(basename(page, '.md').toLowerCase())
    // A type has a section on the page of the function that takes it: `## MutationOptions`, or `## DLE, InfiniteDLE`.
    for (const [, title] of readFileSync(page, 'utf8').matchAll(/^#{2,4} `?(\w+(?:`?, `?\w+)*)`?$/gm)) {
      title.split(/\W+/).forEach((section) => found.add(section.toLowerCase()))
    }
  }
  // Names for people who move from another library share one page.
  for (const [, name] of readFileSync('docs/api/compat.md', 'utf8').matchAll(/^\| `(\w+)/gm)) {
    found.add(name.toLowerCase())
  }
  return found
}

// Links lead to a file, and to a heading of it.
function checkLinks() {
  let links = 0
  for (const page of [...PAGES, ...list('docs', /\.md$/)]) {
    const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    const fault = (index, what) => faults.push(`${page}:${text.slice(0, index).split('\n').length}: ${what}`)
    for (const { index, 1: target } of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) {
        continue
      }
      links += 1
      const [path, anchor] = target.split('#')
      const file = path ? join(dirname(page), path) : page
      if (!existsSync(file)) {
        fault(index, `${target} does not exist`)
      } else if (anchor && file.endsWith('.md') && !anchorsOf(file).has(anchor)) {
        fault(index, `${file} has no heading #${anchor}`)
      }
    }
  }
  // Messages and comments name pages, too. The build makes links of them.
  for (const file of list('src', /\.tsx?$/)) {
    for (const [, page, anchor] of readFileSync(file, 'utf8').matchAll(/\b(docs\/[\w/.-]+?\.md)\b(?:#([\w-]+))?/g)) {
      links += 1
      if (!existsSync(page)) {
        faults.push(`${file}: ${page} does not exist`)
      } else if (anchor && !anchorsOf(page).has(anchor)) {
        faults.push(`${file}: ${page} has no heading #${anchor}`)
      }
    }
  }
  return links
}

function isTest(file) {
  return /\.test(-d)?\.tsx?$/.test(file) || file.startsWith('src/testing/')
}

function list(folder, pattern) {
  if (!existsSync(folder)) {
    return []
  }
  return readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}
