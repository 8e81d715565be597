// The entry points, as `exports` in package.json lists them. A new one is a line there; every script asks here.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'

const { name, exports, imports, peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Packages that the app brings along. */
export const PEERS = Object.keys(peerDependencies)

/** `id` is what a user imports; `source` and `built` are files. */
export const ENTRIES = Object.entries(exports)
  .filter(([, target]) => target['restitch-source'])
  .map(([subpath, target]) => ({
    id: posix.join(name, subpath),
    file: subpath === '.' ? name : subpath.slice(2).replaceAll('/', '-'),
    source: posix.normalize(target['restitch-source']),
    built: posix.normalize(target.default),
  }))

/** The files that `#name` leads to, on all platforms. */
export const PLATFORM_FILES = [
  ...new Set(Object.values(imports).flatMap((targets) => Object.values(targets).map((target) => target.slice(2)))),
]
  .filter((built) => built.startsWith('dist/'))
  .map((built) => ({ built, source: built.replace(/^dist\/(.*)\.js$/, 'src/$1.ts') }))

/** The names a module exports: `values`, and `types`, which exist for the compiler alone. */
export function namesOf(file) {
  const names = { values: [], types: [] }
  for (const { entries } of parseSync(file, readFileSync(file, 'utf8')).module.staticExports) {
    for (const { exportName, isType } of entries) {
      if (!exportName.name) {
        throw new Error(`${file} says "export *": an entry point names what it exports`)
      }
      names[isType ? 'types' : 'values'].push(exportName.name)
    }
  }
  for (const list of Object.values(names)) {
    list.sort((a, b) => (a < b ? -1 : 1))
  }
  return names
}

/** Everything that a built module imports: `files`, each after those it imports, and the `packages` they name. */
export function reach(file, found = { files: new Set(), packages: new Set() }, above = new Set()) {
  if (above.has(file)) {
    return found
  }
  above.add(file)
  for (const [, path] of withoutComments(file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([\w@#./-]+)['"]/g)) {
    const target = posix.join(posix.dirname(file), file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path)
    if (path.startsWith('.')) {
      reach(target, found, above)
    } else if (path.startsWith('#')) {
      for (const { built } of PLATFORM_FILES) {
        reach(built, found, above)
      }
    } else {
      found.packages.add(path)
    }
  }
  found.files.add(file)
  return found
}

/** The text of a built module. */
export function withoutComments(file) {
  const text = readFileSync(file, 'utf8')
  return text.replace(/^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '').replace(/^[ \t]*\/\/.*\n?/gm, '')
}
