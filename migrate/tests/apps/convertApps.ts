import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { convert, Project } from '../../src/index.ts'
import { APPS } from './apps.ts'

const OUTPUT = fileURLToPath(new URL('../../.cache/apps/', import.meta.url))

/** As an app of a bundler has it. */
const CONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    strict: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    paths: { restitch: ['../../../src/index.ts'], 'restitch/react': ['../../../src/react/index.ts'] },
    allowImportingTsExtensions: true,
    customConditions: ['restitch-source'],
  },
}

/** Writes the converted apps to .cache/apps, and returns how many hooks of each are converted. */
export function convertApps(): { name: string; hooks: number; converted: number; left: string[] }[] {
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  const { compilerOptions } = CONFIG
  writeFileSync(`${OUTPUT}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*/src'] }))
  return Object.entries(APPS).map(([name, library]) => {
    const source = fileURLToPath(new URL(`${name}/src`, import.meta.url))
    const target = `${OUTPUT}${name}/src`
    cpSync(source, target, { recursive: true })
    const { files, notes } = convert(library, Project.read([target]))
    for (const [path, text] of files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    finish(fileURLToPath(new URL(`${name}/finished`, import.meta.url)), target, `${OUTPUT}${name}-finished/src`)
    const hooks = notes.filter(({ kind, what }) => /^use[A-Z]/.test(what) && (kind === 'converted' || kind === 'left'))
    const left = notes
      .filter(({ kind }) => kind === 'left')
      .map(({ file, line, what, text }) => `${file.slice(target.length + 1)}:${line} ${what}: ${text}`)
    return { name, hooks: hooks.length, converted: hooks.filter(({ kind }) => kind === 'converted').length, left }
  })
}

/** Copies the files that a person wrote after the codemod over its output. A file that exports nothing is one that was deleted. */
function finish(own: string, converted: string, target: string): void {
  if (!existsSync(own)) {
    return
  }
  cpSync(converted, target, { recursive: true })
  for (const name of readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((one) => /\.tsx?$/.test(one))) {
    if (readFileSync(join(own, name), 'utf8').trim() === 'export {}') {
      rmSync(join(target, name))
    } else {
      cpSync(join(own, name), join(target, name))
    }
  }
}

// Vitest calls the default export before the tests.
export default function setup(): void {
  convertApps()
}
