import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { rules } from '../src/rules.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A folder with the built plugin, and a configuration for oxlint that has all its rules. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'restitch-eslint-'))
  buildSync({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'plugin.mjs'),
  })
  const config = {
    plugins: [],
    categories: { correctness: 'off' },
    jsPlugins: [join(folder, 'plugin.mjs')],
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`restitch/${name}`, 'error'])),
  }
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config))
  return folder
}

/** The reports of oxlint with the configuration of a folder: `file:line:column: message [Error/restitch(rule)]`. */
export function runOxlint(folder: string, places: readonly string[], options: readonly string[] = []): string[] {
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/oxlint/bin/oxlint'),
      '-c',
      join(folder, '.oxlintrc.json'),
      '--format=unix',
      ...options,
      ...places,
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 },
  )
  if (error ?? stderr.trim()) {
    throw error ?? new Error(stderr)
  }
  return stdout.split('\n').filter((line) => /^\S+:\d+:\d+: /.test(line))
}
