// Bundles a module of the simulator with the sources, into which it can plant a fault.
import { rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const CACHE = resolve(import.meta.dirname, '../../.cache/simulator')

/** Returns the URL of the bundle of `entry`. Every text that a fault replaces must occur exactly once. */
export async function build({ entry, fault, mode = 'development' }) {
  const edits = new Set(fault?.edits)
  const plant = {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        const name = path.replaceAll('\\', '/')
        for (const edit of fault?.edits ?? []) {
          if (!name.endsWith(`/src/${edit.file}`)) {
            continue
          }
          if (contents.split(edit.text).length !== 2) {
            throw new Error(
              `"${fault.name}" replaces a text that does not occur exactly once in src/${edit.file}: ${edit.text}`,
            )
          }
          contents = contents.replace(edit.text, () => edit.by)
          edits.delete(edit)
        }
        return { contents, loader: 'ts' }
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
    plugins: [plant],
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
  })
  if (edits.size > 0) {
    throw new Error(`"${fault.name}" names a file that is not part of the bundle: ${[...edits][0].file}`)
  }
  await mkdir(CACHE, { recursive: true })
  const file = resolve(CACHE, `${basename(entry)}-${process.pid}.mjs`)
  await writeFile(file, outputFiles[0].text)
  process.on('exit', () => rmSync(file, { force: true }))
  return pathToFileURL(file).href
}
