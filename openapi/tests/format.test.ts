import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { type Config, generate, readDescription } from '../src/index.ts'
import { writeFiles } from '../src/output.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const FOLDER = mkdtempSync(join(tmpdir(), 'restitch-openapi-'))
const CASES: [name: string, file: string, config: Config][] = [
  ['petstore', '../node_modules/@readme/oas-examples/3.0/yaml/petstore.yaml', {}],
  ['train-travel', '../node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml', {}],
  ['directus', '../node_modules/@directus/specs/dist/openapi.json', { auth: { type: 'basic' } }],
  ['directus-zod', '../node_modules/@directus/specs/dist/openapi.json', { validation: 'zod', casing: 'camel' }],
  ['figma', '../node_modules/@figma/rest-api-spec/openapi/openapi.yaml', { auth: { type: 'query', name: 'key' } }],
  ['shop', 'shop/openapi.yaml', { casing: 'camel' }],
  // For the release checks.
  ['github', 'descriptions/node_modules/@octokit/openapi/generated/api.github.com.json', {}],
]

beforeAll(async () => {
  for (const [name, file, config] of CASES.filter(([, path]) => existsSync(here(path)))) {
    const description = await readDescription(here(file), { lenient: true })
    writeFiles(join(FOLDER, name), generate(description, config).files)
  }
  copyFileSync(here('../../.oxfmtrc.json'), join(FOLDER, '.oxfmtrc.json'))
  return () => rmSync(FOLDER, { recursive: true, force: true })
})

test('generated code is formatted', () => {
  const oxfmt = here('../../node_modules/oxfmt/bin/oxfmt')
  const { stdout, status } = spawnSync(process.execPath, [oxfmt, '--list-different'], { cwd: FOLDER, encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
