import { expect, test } from 'vitest'
import { findOpener } from './openBrowser.ts'

test.each([
  ['a Mac', 'darwin', {}, true, ['open']],
  ['Windows', 'win32', {}, true, ['cmd', '/c', 'start', '']],
  ['Linux with a display', 'linux', { DISPLAY: ':0' }, true, ['xdg-open']],
  ['Linux without one', 'linux', {}, true, []],
  ['a shell on another machine', 'linux', { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1' }, true, []],
  ['CI', 'darwin', { CI: 'true' }, true, []],
  ['another program', 'darwin', {}, false, []],
] as const)('%s', (_, platform, env, isTTY, command) => {
  expect(findOpener({ platform, env, stdout: { isTTY } })).toEqual(command)
})
