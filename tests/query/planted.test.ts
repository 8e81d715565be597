import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { cases } from '../effort.ts'

const FAULTS = [
  {
    name: 'a relation that is missing is not noted',
    file: 'query/track.ts',
    text: 'noteNode(reader, childNode(reader, schema as never, pk))',
    by: 'void childNode(reader, schema as never, pk)',
  },
  {
    name: 'a window keeps the entries that it showed',
    file: 'query/Window.ts',
    text: 'this.#shown = this.#set = undefined',
    by: 'this.#set = undefined',
  },
  {
    name: 'a rollback leaves a record in its place',
    file: 'store/operations.ts',
    text: 'row.table.watch?.(row)',
    by: 'row.pending || row.table.watch?.(row)',
  },
  {
    name: 'a total keeps what was added up before',
    file: 'query/Totals.ts',
    text: 'blocks[Math.floor(at / MOST)] = undefined',
    by: 'void blocks',
  },
  {
    name: 'an entry is taken for the one that had its number before',
    file: 'query/ByEntry.ts',
    text: 'return this.#entries[entry.number] === entry',
    by: 'return this.#entries[entry.number] !== undefined',
  },
  {
    name: 'a part of an order is not sorted when a window reaches it',
    file: 'query/Sorted.ts',
    text: '!isSorted && start + members.length > from',
    by: '!isSorted && start >= from',
  },
]

/** Pieces that hold two, so that the few records of a history fill several. */
const SMALL = [
  { file: 'query/Sorted.ts', text: 'const MOST = 512', by: 'const MOST = 2' },
  { file: 'query/Sorted.ts', text: 'const PARTS = 16', by: 'const PARTS = 2' },
  { file: 'query/Sorted.ts', text: 'Math.max(MOST / 8, this.size / 8)', by: '2' },
  { file: 'query/Totals.ts', text: 'const MOST = 256', by: 'const MOST = 2' },
]

/** `npm run queries` sets it. */
const given = Number(process.env['RESTITCH_QUERIES'])

type Change = Readonly<Record<'file' | 'text' | 'by', string>>

/** Bundles the machine as an app would be, and looks for a wrong query. */
async function find(name: string, changes: readonly Change[], numRuns: number, seed = 1): Promise<unknown> {
  const outfile = join('.cache', 'queries', `${name}.mjs`)
  await build({
    entryPoints: ['tests/query/entry.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'fault',
        setup({ onLoad }) {
          onLoad({ filter: /src[\\/].*\.ts$/ }, ({ path }) => {
            const isHere = ({ file }: Change): boolean => path.replaceAll('\\', '/').endsWith(`/src/${file}`)
            const contents = changes
              .filter(isHere)
              .reduce((text, { text: old, by }) => text.replace(old, by), readFileSync(path, 'utf8'))
            return { contents, loader: 'ts' }
          })
        },
      },
    ],
  })
  const { findWrong } = (await import(pathToFileURL(outfile).href)) as typeof import('./entry.ts')
  return findWrong(numRuns, seed)
}

test.each(FAULTS)('QUE-24 a planted fault is found: $name', async (fault) => {
  const changes = [fault, ...SMALL]
  for (const { file, text } of changes) {
    expect(readFileSync(`src/${file}`, 'utf8').split(text)).toHaveLength(2)
  }
  expect(await find(String(FAULTS.indexOf(fault)), changes, 2_000)).toBeDefined()
})

test.each([
  ['whole', []],
  ['small', SMALL],
] as const)(
  'QUE-24 and without one, a production build is right, with %s pieces',
  async (name, changes) => {
    expect(await find(name, changes, given / 2 || cases(1_000), Number(process.env['SEED'] ?? 1))).toBeUndefined()
  },
  4_000_000,
)
