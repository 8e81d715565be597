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
    text: 'this.#shown = this.#order.sorted',
    by: 'this.#shown = this.#shown.length > 0 ? this.#shown : this.#order.sorted',
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
]

/** Bundles the machine as an app would be, and looks for a wrong query. */
async function isCaught(at: number, numRuns: number): Promise<boolean> {
  const fault = FAULTS[at]
  const outfile = join('.cache', 'queries', `${at}.mjs`)
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
            const text = readFileSync(path, 'utf8')
            const isHere = fault && path.replaceAll('\\', '/').endsWith(`/src/${fault.file}`)
            return { contents: isHere ? text.replace(fault.text, fault.by) : text, loader: 'ts' }
          })
        },
      },
    ],
  })
  const { isCaught: run } = (await import(pathToFileURL(outfile).href)) as { isCaught(numRuns: number): boolean }
  return run(numRuns)
}

test.each(FAULTS)('QUE-24 a planted fault is found: $name', async (fault) => {
  expect(readFileSync(`src/${fault.file}`, 'utf8').split(fault.text)).toHaveLength(2)
  expect(await isCaught(FAULTS.indexOf(fault), 2_000)).toBe(true)
})

test('QUE-24 and without one, a production build is right', async () => {
  expect(await isCaught(-1, cases(1_000))).toBe(false)
})
