// The simulator runs apart, as one bundle: it holds the console and the rejections of its process.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FAULTS } from './planted.ts'
import { SEEDS } from './seeds.ts'

/** Seeds in which a planted fault has to be found, each in all profiles. */
const HUNT = 50

function simulate(...args: readonly (string | number)[]): Promise<{ code: number; output: string }> {
  const command = [resolve(import.meta.dirname, 'simulate.mjs'), ...args.map(String)]
  return new Promise((done) => {
    execFile(process.execPath, command, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    })
  })
}

const INVARIANTS = 'E1 E2 E3 E4 O1 O2 O3 O4 O5 L1 L2 L3 L4 L5 F1 F2 S1 P1 T1 N1 R1 I1 C1 GC-2 NET-16'

test(`${INVARIANTS} hold in 80,000 steps`, { timeout: 300_000 }, async () => {
  const { code, output } = await simulate('--steps', 80_000)
  expect(output).toContain('0 violations')
  expect(code).toBe(0)
})

test('what once broke a promise breaks none', { timeout: 120_000 }, async () => {
  const { output } = await simulate('--runs', JSON.stringify(SEEDS), '--steps', 0)
  expect(output).toContain('0 violations')
})

describe('a planted fault is found', () => {
  test.each(FAULTS.map(({ name }) => name))('%s', { timeout: 300_000 }, async (name) => {
    const { output } = await simulate('--fault', name, '--steps', Infinity, '--seeds', HUNT)
    expect(output).toMatch(/^[A-Z]+-?\d+: /)
    expect(output).toContain('1 violations')
  })
})
