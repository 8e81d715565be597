// OUT-1 OUT-4 OUT-5 OUT-7: nothing that was on the screen is lost or made twice when a real browser is killed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'

const run = promisify(execFile)
const executablePath = await findChromium()

describe.skipIf(!executablePath)('in Chromium', () => {
  test('OUT-5 tested by killing real browsers: tabs that write are killed, and go on where they were', async () => {
    const { stdout } = await run(process.execPath, ['tests/outbox/kills.mjs', '--runs', '5'])
    expect(stdout).toContain(': 0 runs with faults')
    // A busy machine needs half a minute for one.
  }, 600_000)
})
