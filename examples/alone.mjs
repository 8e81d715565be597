// Starts each app from its folder alone: a copy outside of the repository, `npm install` with the packed library, `npm run build`,
// and `npm run dev`: `node examples/alone.mjs`, or of some of them `node examples/alone.mjs crud vue`.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { APPS } from './copies.mjs'

const names = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'restitch-alone-'))
const root = resolve(import.meta.dirname, '..')
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const tarball = join(
    home,
    run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], root).trim(),
  )
  for (const name of names.length > 0 ? names : APPS) {
    const folder = join(home, name)
    cpSync(join(import.meta.dirname, name), folder, {
      recursive: true,
      filter: (path) => !/node_modules|\.cache|\.test\./.test(path.slice(root.length)),
    })
    run('npm', ['install', '--no-audit', '--no-fund', tarball], folder)
    run('npm', ['run', '--silent', 'build'], folder)
    await visit(name, folder)
    console.log(`${name} stands alone`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function visit(name, folder) {
  const server = spawn('npm', ['run', 'dev', '--', '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    detached: true,
  })
  try {
    const origin = await new Promise((done, fail) => {
      let text = ''
      const read = (chunk) => {
        text += stripVTControlCharacters(String(chunk))
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
        if (found) {
          done(found)
        }
      }
      server.stdout.on('data', read)
      server.stderr.on('data', read)
      server.on('exit', () => fail(new Error(`${name} ended:\n${text}`)))
    })
    const entry = readdirSync(folder).find((file) => file.startsWith('main.'))
    for (const path of ['/', `/${entry}`]) {
      const response = await fetch(origin + path)
      assert.equal(response.status, 200, `${name} serves ${path}`)
      assert.match(await response.text(), path === '/' ? /<script/ : /import/)
    }
    const api = await fetch(`${origin}/api/none`)
    assert.deepEqual([api.status, await api.json()], [404, { message: 'Not found' }], `${name} serves its API`)
  } finally {
    // npm and Vite are processes of their own, in one group.
    process.kill(-Number(server.pid))
  }
}
