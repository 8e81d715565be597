import { existsSync, readFileSync } from 'node:fs'

// An error outside of a test ends a run of vitest, too.
export const WAS_RUN = new Set(['Killed', 'Timeout', 'RuntimeError', 'Survived', 'NoCoverage'])

/** The same in a checker and in a reporter, and from one run to the next. */
export function nameMutant({ file, location: { start, end }, replacement, mutatorName }) {
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(':')
}

/** The code that a mutant replaces. */
export function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}

/** The results that a run has written down, by name: `{ file, location, replacement, mutatorName, status }`. */
export function readResults(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => JSON.parse(line)).map((mutant) => [nameMutant(mutant), mutant]))
}
