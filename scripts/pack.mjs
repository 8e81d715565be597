// Installs the package in another folder as npm would: packed, so that what is not published is not there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packReadme } from './readme.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Replaces `node_modules/restitch` of a folder by the packed package, which has to be built. */
export function installPacked(folder) {
  const cache = join(folder, '.cache/pack')
  const target = join(folder, 'node_modules/restitch')
  for (const path of [cache, target]) {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
  }
  // Without the scripts: tests pack what is built, and several do at the same time.
  const pack = ['pack', '--ignore-scripts', '--pack-destination', cache, '--silent']
  const name = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  execFileSync('tar', ['-xzf', join(cache, name.trim()), '-C', target, '--strip-components', '1'])
  const readme = join(target, 'README.md')
  writeFileSync(readme, packReadme(readFileSync(readme, 'utf8')))
}
