import { expect, test } from 'vitest'
import { PathError } from './readTemplate.ts'
import { shorten } from './shorten.ts'

test.each([
  ['RES-1', '/:first/:second', '/:first'],
  ['RES-1', '/:first', '/'],
  ['RES-1', '/:owner/*path', '/:owner'],
  ['RES-1', '/users/:id/posts', '/users'],
  ['RES-1', 'http\\://x.com/:id', 'http\\://x.com'],
  ['RES-1', '/users/:id', '/users'],
  ['RES-1', '/users//:id', '/users/'],
  ['RES-1', '/flights/:from-:to', '/flights/:from-'],
  ['RES-1', '/x/:"a/b"', '/x'],
  ['RES-1', '/x/:"a:b"/:"c*d"', '/x/:"a:b"'],
  ['RES-1', '/a\\/:id', '/a'],
  ['RES-1', '/a\\\\/:id', '/a\\\\'],
  ['RES-1', '/a\\\\\\/:id', '/a\\\\'],
  ['RES-2', '/users{/:id}', '/users'],
  ['RES-2', '/users{/:id}/posts', '/users'],
  ['RES-2', '/users/{:id}', '/users'],
  ['RES-2', '{/:id}', ''],
  ['RES-2', '/a{/:x}{/:y}', '/a{/:x}'],
  ['RES-2', '/a{/:x{/:y}}', '/a{/:x}'],
  ['RES-2', '/a{/:x{/:y}/z}/w', '/a{/:x}'],
  ['RES-2', '/a{/:x{/:y{/*z}}}', '/a{/:x{/:y}}'],
  ['RES-2', '/a/:id/x\\:y', '/a'],
  ['RES-2', '/a/:id{/b}', '/a'],
  ['RES-1', '/issues/:id.json', '/issues.json'],
  ['RES-1', '/projects/:project/issues/:id.json', '/projects/:project/issues.json'],
  ['RES-1', '/users/:group/:id.json', '/users/:group.json'],
  ['RES-1', '/users/:"a b".json', '/users.json'],
  ['RES-1', '/a\\:b/:id.xml', '/a\\:b.xml'],
  ['RES-1', '/:id.json', '/'],
  ['RES-1', '/users//:id.json', '/users/'],
  ['RES-1', '/users/:id.tar.gz', '/users'],
  ['RES-1', '/users/:id.', '/users'],
  ['RES-1', '/users/:id.json/all', '/users'],
  ['RES-1', '/flights/x-:to.json', '/flights/x-'],
  ['RES-2', '/users{/:id.json}', '/users'],
  ['RES-2', '/users/:id{.:format}', '/users/:id'],
  ['RES-3', ':id', ''],
  ['RES-3', '*path', ''],
])('%s %s is shortened to %s', (_, template, short) => {
  expect(shorten(template)).toBe(short)
})

test.each(['', '/', '/users', '/users{/all}', '/a\\:b', '/a\\*'])('RES-4 refuses "%s"', (template) => {
  expect(() => shorten(template)).toThrow(/^Resource path requires at least one :parameter or \*wildcard/)
  expect(() => shorten(template)).toThrow(expect.objectContaining({ code: 'path-no-param' }) as Error)
})

test('RES-4 URL-16 refuses a broken template as such', () => {
  expect(() => shorten('/users/{:id')).toThrow(PathError)
})
