// Bundles a module of the simulator with the sources, into which it can plant a fault.
import { rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { plant } from './plant.mjs'

const CACHE = resolve(import.meta.dirname, '../../.cache/simulator')

/** Returns the URL of the bundle of `entry`. Every text that a fault replaces must occur exactly once. */
export async function build({ entry, fault, mode = 'development' }) {
  const unused = new Set(fault?.edits)
  const planter = {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
        for (const edit of unused) {
          if (path.replaceAll('\\', '/').endsWith(`/src/${edit.file}`)) {
            unused.delete(edit)
          }
        }
        return { contents: plant(await readFile(path, 'utf8'), path, fault), loader: 'ts' }
      })
    },
  }
  const { outputFiles } = await esbuild.build({
    entryPoints: [resolve(import.meta.dirname, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': `"${mode}"` },
    plugins: [planter],
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
  })
  if (unused.size > 0) {
    throw new Error(`"${fault.name}" names a file that is not part of the bundle: ${[...unused][0].file}`)
  }
  await mkdir(CACHE, { recursive: true })
  const file = resolve(CACHE, `${basename(entry)}-${process.pid}.mjs`)
  await writeFile(file, outputFiles[0].text)
  process.on('exit', () => rmSync(file, { force: true }))
  return pathToFileURL(file).href
}
