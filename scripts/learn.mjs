// Builds the app of docs/learn as a reader does, page by page, with one of the frameworks. A code block whose first line names a file,
// `// src/tasks.ts` or `<!-- src/App.vue -->`, is the content of that file; a `diff` block changes some lines of it.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readBlocks } from './frameworks.mjs'

const FOLDER = 'docs/learn'
// The site is built in docs/, everything else at the root.
const ROOT = resolve(import.meta.dirname, '..')
const KINDS = new Set(['ts', 'tsx', 'vue', 'svelte', 'diff'])
const NAMED = /^(?:\/\/|<!--) ((?:src\/)?[\w.]+\.(?:tsx?|vue|svelte))(?: -->)?\n/

/**
 * Every page in order, with the files of the app of a framework after it, and the blocks that are no file of the app.
 * @returns {{ page: string, files: Record<string, string>, loose: { kind: string, line: number, text: string }[] }[]}
 */
export function readLearn(framework = 'React') {
  const pages = readdirSync(`${ROOT}/${FOLDER}`).filter((name) => /^\d+-.*\.md$/.test(name))
  pages.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const files = {}
  return pages.map((name) => {
    const text = readFileSync(`${ROOT}/${FOLDER}/${name}`, 'utf8')
    const loose = []
    for (const { kind, line, text: block, framework: only = framework } of readBlocks(text)) {
      if (only !== framework || !KINDS.has(kind)) {
        continue
      }
      const [, file] = NAMED.exec(block) ?? []
      if (file) {
        const body = block.replace(NAMED, '')
        files[file] = kind === 'diff' ? patchFile(`${name}: ${file}`, files[file] ?? '', body) : body
      } else {
        loose.push({ kind, line, text: block })
      }
    }
    return { page: `${FOLDER}/${name}`, files: { ...files }, loose }
  })
}

/** The module that starts the app of a framework. */
export const MAIN = { React: 'src/main.tsx', Vue: 'src/main.ts', Svelte: 'src/main.ts', Solid: 'src/index.tsx' }

/** Lines that start with `-` are removed, with `+` added, the others show where; a line with `…` stands for the lines between. */
function patchFile(subject, file, diff) {
  let patched = file
  for (const hunk of diff.split(/^…\n/m)) {
    const lines = hunk.trimEnd().split('\n')
    const take = (signs) => lines.filter((line) => signs.includes(line[0] ?? ' ')).map((line) => `${line.slice(1)}\n`)
    const [before, after] = [take(' -').join(''), take(' +').join('')]
    if (patched.split(before).length !== 2) {
      throw new Error(`${subject} does not contain these lines exactly once:\n${before}`)
    }
    patched = patched.replace(before, () => after)
  }
  return patched
}
