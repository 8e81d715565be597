// Plugins for Stryker. A checker: of all mutants only a sample is tested. A reporter: each result is written down at once, so
// that a run that was interrupted goes on where it ended. RESTITCH_SAMPLE is `{ count, seed }` or `{ names }`, with `files` for
// the results by folder, `testFiles` and `tests`, which is a hash of them.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { isSurvivor, nameMutant, readResults, WAS_RUN } from './mutant.mjs'

const { count, seed, names, files, testFiles, tests } = JSON.parse(process.env.RESTITCH_SAMPLE ?? '{}')

class Sample {
  async init() {}

  // One group, so that `check` can choose among all of them.
  async group(mutants) {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants) {
    const known = Object.values(files).map(readResults)
    const isKnown = (name) => {
      const result = known.find((results) => results.has(name))?.get(name)
      return result !== undefined && (!isSurvivor(result) || result.tests.includes(tests))
    }
    const chosen = new Set(choose(mutants).filter((mutant) => !isKnown(nameOf(mutant))))
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        chosen.has(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    )
  }
}

class Results {
  // Stryker leaves out files that cannot be loaded.
  onDryRunCompleted({ result }) {
    const loaded = new Set(result.tests.map(({ fileName }) => pathOf(fileName ?? '')))
    const missing = testFiles.filter((name) => !loaded.has(name))
    if (missing.length > 0) {
      throw new Error(`No test was run of ${missing.join(', ')}`)
    }
  }

  onMutantTested({ fileName, location, replacement, mutatorName, status }) {
    if (WAS_RUN.has(status)) {
      const result = { file: pathOf(fileName), location, replacement, mutatorName, status, tests: [tests] }
      appendFileSync(files[result.file.split('/')[1]], `${JSON.stringify(result)}\n`)
    }
  }
}

function choose(mutants) {
  if (names !== undefined) {
    const wanted = new Set(names)
    return mutants.filter((mutant) => wanted.has(nameOf(mutant)))
  }
  if (count === undefined) {
    return mutants
  }
  // Ordered by a hash of what they change: an edit elsewhere in the file leaves most of the sample as it is.
  const rank = new Map(mutants.map((mutant) => [mutant, hash(`${seed} ${nameOf(mutant)}`)]))
  return mutants.toSorted((a, b) => (rank.get(a) < rank.get(b) ? -1 : 1)).slice(0, count)
}

// A checker counts lines and columns from 0, and its paths are absolute.
function nameOf({ fileName, location: { start, end }, ...mutant }) {
  const location = { start: countFromOne(start), end: countFromOne(end) }
  return nameMutant({ ...mutant, file: pathOf(fileName), location })
}

function pathOf(fileName) {
  return relative('.', fileName).replaceAll('\\', '/')
}

function countFromOne({ line, column }) {
  return { line: line + 1, column: column + 1 }
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
  declareClassPlugin(PluginKind.Reporter, 'results', Results),
]
