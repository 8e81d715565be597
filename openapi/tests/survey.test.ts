import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { part } from '../../tests/effort.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Inside the root package, where `restitch` is found.
const work = here('../../.cache/openapi')
mkdirSync(work, { recursive: true })

test.each(part(['aspnet', 'django', 'fastapi', 'nestjs', 'rails', 'spring'], 3))(
  'every page, create, update and delete of %s is right against a server that is made from the description',
  (name) => {
    const folder = mkdtempSync(join(work, 'survey-'))
    try {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [here('survey/one.mjs'), here(`survey/written/${name}.json`), folder],
        { encoding: 'utf8' },
      )
      expect(stderr).toBe('')
      const { counts, anys, outcome } = JSON.parse(stdout)
      expect(counts.covered).toBe(counts.operations)
      expect(anys).toBe(0)
      expect(outcome).toMatchObject({ wrong: [], silent: [], right: outcome.pages, listsFound: outcome.lists })
      expect(outcome.mutations).toBeGreaterThanOrEqual(6)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
