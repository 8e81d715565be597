// Commands that measure leave their figures in .cache/figures, and `npm run quality` puts them in its table.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../.cache/figures')

/** A figure is `{ name, value, goal?, isMissed?, isGuard? }`. */
export function recordFigures(area, figures) {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/${area}.json`, JSON.stringify(stampFigures(figures), null, 2))
}

/** The figures of the last run: `{ time, commit, figures }`. */
export function readFigures(area) {
  const file = `${FOLDER}/${area}.json`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

export function stampFigures(figures) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
  return { time: new Date().toISOString(), commit, figures }
}
