// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { convert, Project } from '../../../src/index.ts'
import { APPS } from '../apps.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const OUTPUT = here('../../../.cache/apps/')

test('the converted apps compile', () => {
  let output = ''
  try {
    execFileSync(
      process.execPath,
      [here('../../../../node_modules/typescript/bin/tsc'), '-p', OUTPUT, '--pretty', 'false'],
      { cwd: OUTPUT, encoding: 'utf8' },
    )
  } catch (error) {
    output = (error as { stdout: string }).stdout
  }
  // The sources of the library have checks of their own, with other options.
  expect(output.split('\n').filter((line) => /^\S/.test(line) && !line.includes('../src/'))).toEqual([])
})

test('at least 70 % of the hooks are converted, in at least 8 apps of 2,000 lines without their tests', () => {
  let [hooks, converted, lines] = [0, 0, 0]
  for (const [name, library] of Object.entries(APPS)) {
    const folder = here(`../${name}/src`)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.[jt]sx?$/.test(path),
    )) {
      lines += readFileSync(join(folder, file), 'utf8').split('\n').length
    }
    const notes = convert(library, Project.read([folder])).notes.filter(
      ({ kind, what }) => /^use[A-Z]/.test(what) && (kind === 'converted' || kind === 'left'),
    )
    hooks += notes.length
    converted += notes.filter(({ kind }) => kind === 'converted').length
  }
  expect(Object.keys(APPS).length).toBeGreaterThanOrEqual(8)
  console.warn(`${converted} of ${hooks} hooks, ${lines} lines without tests`)
  expect(lines).toBeGreaterThanOrEqual(2000)
  expect(converted / hooks).toBeGreaterThanOrEqual(0.7)
})

test('nothing of the old library is in the app that a person has finished', () => {
  const folder = `${OUTPUT}tanstack-helpdesk-finished/src`
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  expect(texts.length).toBeGreaterThan(15)
  expect(texts.filter((text) => /@tanstack|axios|restitch-migrate/.test(text))).toEqual([])
})

test.each(Object.entries(APPS))('a second run changes nothing: %s', (name, library) => {
  expect([...convert(library, Project.read([`${OUTPUT}${name}/src`])).files.keys()]).toEqual([])
})
