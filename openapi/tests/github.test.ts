import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { generate, type Generated, readDescription } from '../src/index.ts'

const GITHUB = fileURLToPath(
  new URL('descriptions/node_modules/@octokit/openapi/generated/api.github.com.json', import.meta.url),
)
let generated: Generated

beforeAll(async () => {
  generated = generate(await readDescription(GITHUB), {})
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
