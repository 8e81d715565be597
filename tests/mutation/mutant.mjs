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

/**
 * The results that runs have written down, by name: `{ file, location, replacement, mutatorName, status, tests }`. A mutant
 * that some tests killed is killed; otherwise `tests` are the hashes of all test files that it survived.
 */
export function readResults(file) {
  const results = new Map()
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []) {
    const result = JSON.parse(line)
    const name = nameMutant(result)
    const known = results.get(name)
    if (known === undefined || !isSurvivor(result)) {
      results.set(name, result)
    } else if (isSurvivor(known)) {
      const status = known.status === 'Survived' ? 'Survived' : result.status
      results.set(name, { ...result, status, tests: [...known.tests, ...result.tests] })
    }
  }
  return results
}

export function isSurvivor({ status }) {
  return status === 'Survived' || status === 'NoCoverage'
}
