// Emits the declarations of a whole data layer and compiles against them, on the oldest and the newest TypeScript, with the package
// in node_modules and linked as in a workspace.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../..')
const WORK = resolve(ROOT, '.cache/emit')
const COMPILERS = {
  'TypeScript 7.0': resolve(ROOT, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.4': resolve(ROOT, 'tests/types-5.4/node_modules/typescript/bin/tsc'),
}
const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  skipLibCheck: false,
}

rmSync(WORK, { recursive: true, force: true })
for (const layout of ['installed', 'workspace']) {
  const folder = resolve(WORK, layout)
  const packages = resolve(folder, 'node_modules')
  mkdirSync(resolve(packages, '@types'), { recursive: true })
  if (layout === 'workspace') {
    symlinkSync(copyPackage(resolve(WORK, 'packages/restitch')), resolve(packages, 'restitch'))
  } else {
    copyPackage(resolve(packages, 'restitch'))
  }
  for (const name of ['@types/react', 'csstype']) {
    symlinkSync(resolve(ROOT, 'node_modules', name), resolve(packages, name))
  }
  for (const file of ['data.ts', 'hooks.ts', 'consumer.ts']) {
    cpSync(resolve(HERE, file), resolve(folder, file))
  }
  writeFileSync(resolve(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, tsc] of Object.entries(COMPILERS)) {
    rmSync(resolve(folder, 'out'), { recursive: true, force: true })
    compile(tsc, folder, { declaration: true, emitDeclarationOnly: true, outDir: 'out' }, ['data.ts', 'hooks.ts'])
    if (/Omit<[^>]*RestInstance/.test(readFileSync(resolve(folder, 'out/data.d.ts'), 'utf8'))) {
      throw new Error('a member that was extended carries the whole member that it was made from')
    }
    compile(tsc, folder, { noEmit: true }, ['consumer.ts'])
    console.log(`${name}, ${layout}: declarations written and used`)
  }
}

function copyPackage(to) {
  for (const part of ['package.json', 'dist']) {
    cpSync(resolve(ROOT, part), resolve(to, part), { recursive: true })
  }
  return to
}

function compile(tsc, folder, options, files) {
  const config = resolve(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }))
  execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' })
}
