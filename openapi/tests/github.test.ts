import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Collection, RestEndpoint } from 'restitch'
import { beforeAll, expect, test } from 'vitest'
import type { Description } from '../src/Description.ts'
import { generate, type Generated, readDescription } from '../src/index.ts'
import { writeFiles } from '../src/output.ts'
import { codeOf, effectOf, placesOf } from './stability.ts'

const GITHUB = fileURLToPath(
  new URL('descriptions/node_modules/@octokit/openapi/generated/api.github.com.json', import.meta.url),
)
let description: Description
let generated: Generated

beforeAll(async () => {
  description = await readDescription(GITHUB)
  generated = generate(description, {})
})

/** The lines of the schema of a class, without spaces. */
function schemaOf(table: string, name: string): string[] {
  const code = generated.files.get(`entities/${table}.ts`)!
  const own = code.slice(code.indexOf(`export class ${name} `))
  const [, schema] =
    /static override (?:schema = |get schema\(\)[^{]*\{\s*return \(\w+ \?\?= )\{([\s\S]*?)\n {2,4}\}/.exec(own)!
  return schema!.split('\n').map((line) => line.trim().replace(/,$/, ''))
}

test('covers at least 95 % of the operations', () => {
  const { covered, operations } = generated.counts
  expect(operations).toBeGreaterThan(1000)
  expect(covered / operations).toBeGreaterThanOrEqual(0.95)
})

test.each([
  [
    'Issue',
    'Issue',
    [
      'user: SimpleUser',
      'assignees: [SimpleUser]',
      'milestone: Milestone',
      'repository: Repository',
      `labels: [new EntityOr({ Label }, () => 'Label')]`,
      'created_at: Date',
    ],
  ],
  [
    'PullRequest',
    'PullRequest',
    ['user: SimpleUser', 'labels: [Label]', 'head: { repo: Repository, user: SimpleUser }', 'merged_by: SimpleUser'],
  ],
  [
    'Repository',
    'FullRepository',
    ['owner: SimpleUser', 'organization: SimpleUser', 'parent: Repository', 'source: Repository'],
  ],
  ['IssueComment', 'IssueComment', ['user: SimpleUser', 'created_at: Date']],
])('the relations of %s', (table, name, relations) => {
  expect(schemaOf(table, name)).toEqual(expect.arrayContaining(relations))
})

test.each([
  ['User', ['SimpleUser', 'PrivateUser', 'PublicUser', 'UserSearchResultItem']],
  ['Repository', ['FullRepository', 'MinimalRepository', 'Repository', 'RepoSearchResultItem']],
  ['PullRequest', ['PullRequest', 'PullRequestSimple', 'PullRequestMinimal']],
  ['Label', ['Label', 'LabelSearchResultItem']],
])('the forms of %s share a table', (table, names) => {
  const code = generated.files.get(`entities/${table}.ts`)!
  for (const name of names) {
    expect(code).toContain(`export class ${name} extends ${table}Entity`)
  }
})

test('generated code has no `any`', () => {
  for (const [name, text] of generated.files) {
    const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
    expect(/\bany\b/.test(code), name).toBe(false)
  }
})

/** The endpoints of a module, also those in resources. */
function endpointsIn(value: unknown): RestEndpoint[] {
  return value instanceof RestEndpoint
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(endpointsIn)
      : []
}

test('no two lists share a place in the store', async () => {
  const folder = fileURLToPath(new URL('../../.cache/openapi/lists/', import.meta.url))
  writeFiles(folder, generate(description, { importExtension: '.ts' }).files)
  const places = new Map<string, string>()
  const shared: string[] = []
  for (const name of generated.files.keys()) {
    const module: unknown = name.includes('/') ? {} : await import(pathToFileURL(join(folder, name)).href)
    for (const { schema, path, method } of endpointsIn({ ...Object(module) })) {
      const list = [schema, ...Object.values(Object(schema))].find((value) => value instanceof Collection)
      const params = path.match(/:\w+/g)?.sort().join() ?? ''
      const place = `${list?.key} ${list?.name} ${params}`
      if (list !== undefined && method === 'GET' && (places.get(place) ?? path) !== path) {
        shared.push(`${path} and ${places.get(place)}`)
      }
      places.set(place, path)
    }
  }
  expect(places.size).toBeGreaterThan(200)
  expect(shared).toEqual([])
})

test('a new operation renames nothing, and changes its own lines alone', () => {
  const full = codeOf(description)
  const places = placesOf(description).filter((_, index) => index % 50 === 0)
  const effects = places.map((place) => effectOf(description, place, full))
  expect(effects.filter(({ renamed, isFirst }) => renamed.length > 0 && !isFirst)).toEqual([])
  expect(effects.filter(({ changed, isFirst, decides }) => changed.length > 0 && !isFirst && !decides)).toEqual([])
  expect(effects.filter(({ renamed }) => renamed.length > 0).length / effects.length).toBeLessThan(0.05)
})
