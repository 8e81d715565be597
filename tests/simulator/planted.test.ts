// Proves that the simulator, and the sessions with real React, find faults: a run without violations means something only then.
// Part of the release checks: npx vitest run --config vitest.release.config.ts -t "a sorted list"
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { FAULTS, REACT_FAULTS } from './planted.ts'
import { simulate } from './simulate.ts'

/** A planted fault has to be found within so many seeds, each with all profiles. */
const SEEDS = 50

test.each(FAULTS.map(({ name }) => name))('%s is found', { timeout: 900_000 }, async (name) => {
  const { output } = await simulate('--fault', name, '--steps', Infinity, '--seeds', SEEDS)
  expect(output).toMatch(/^[A-Z]+-?\d+: /m)
  expect(output).toContain('1 violations')
})

test.each(REACT_FAULTS)('$name is found with React', { timeout: 900_000 }, async ({ name, rule }) => {
  const output = await playSessions({ RESTITCH_FAULT: name })
  expect(output).toContain('1 failed')
  expect(output).toMatch(new RegExp(`"(?:${rule}): `))
})

/** Runs the test in a process of its own, in which the sources have the fault. */
function playSessions(env: Record<string, string>): Promise<string> {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/simulator/planted.config.ts']
  return new Promise((done) => {
    execFile(process.execPath, command, { env: { ...process.env, ...env } }, (_error, stdout, stderr) => {
      done(`${stdout}${stderr}`)
    })
  })
}
