import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

/** Runs a programme of Angular on a server, and returns what it prints as JSON. A process has one DOM for Angular: this is another one. */
export async function runServer<T>(entry: string, ...args: readonly string[]): Promise<T> {
  const outfile = resolve('.cache/angular', basename(entry).replace('.ts', '.mjs'))
  await mkdir('.cache/angular', { recursive: true })
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['restitch-source', 'node'],
    external: ['@angular/*', 'zone.js'],
  })
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, ...args])
  return JSON.parse(stdout.split('\n').at(-1)!) as T
}
