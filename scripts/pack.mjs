// Installs the package in another folder as npm would: packed, so that what is not published is not there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packReadme } from './readme.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Installs the packages of a folder as its lock file says, and the packed package, which is not in there. */
export function installAll(folder, ...options) {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', ...options, pack(folder)]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Replaces `node_modules/restitch` of a folder by the packed package, which has to be built. */
export function installPacked(folder) {
  const target = join(folder, 'node_modules/restitch')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', pack(folder), '-C', target, '--strip-components', '1'])
  const readme = join(target, 'README.md')
  writeFileSync(readme, packReadme(readFileSync(readme, 'utf8')))
}

function pack(folder) {
  const cache = join(folder, '.cache/pack')
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  // Without the scripts: tests pack what is built, and several do at the same time.
  const args = ['pack', '--ignore-scripts', '--pack-destination', cache, '--silent']
  const name = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return join(cache, name.trim())
}
