// Builds the app of docs/learn as a reader does, page by page. A code block whose first line names a file, `// src/tasks.ts`, is the content
// of that file; a `diff` block changes some lines of it.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FOLDER = 'docs/learn'
// The site is built in docs/, everything else at the root.
const ROOT = resolve(import.meta.dirname, '..')
const BLOCK = /^```(tsx?|diff)\b.*\n([\s\S]*?)^```/gm
const NAMED = /^\/\/ ((?:src\/)?[\w.]+\.tsx?)\n/

/**
 * Every page in order, with the files of the app after it, and the blocks that are no file of the app.
 * @returns {{ page: string, files: Record<string, string>, loose: { kind: string, line: number, text: string }[] }[]}
 */
export function readLearn() {
  const pages = readdirSync(`${ROOT}/${FOLDER}`).filter((name) => /^\d+-.*\.md$/.test(name))
  pages.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const files = {}
  return pages.map((name) => {
    const text = readFileSync(`${ROOT}/${FOLDER}/${name}`, 'utf8')
    const loose = []
    for (const { index, 1: kind, 2: block } of text.matchAll(BLOCK)) {
      const [, file] = NAMED.exec(block) ?? []
      if (file) {
        const body = block.replace(NAMED, '')
        files[file] = kind === 'diff' ? patchFile(`${name}: ${file}`, files[file] ?? '', body) : body
      } else {
        loose.push({ kind, line: text.slice(0, index).split('\n').length, text: block })
      }
    }
    return { page: `${FOLDER}/${name}`, files: { ...files }, loose }
  })
}

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
