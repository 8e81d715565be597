import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

const CODE = `import { Entity } from 'restitch' // a comment
class Todo extends Entity {
  id = 1_000.5
  static key = \`a \${b} c\`
}
const list = useSuspense(getTodos, { done: false }) /* two
lines */
const className = "it's"`

test('nothing is lost or added', () => {
  expect(
    highlight(CODE)
      .map(({ text }) => text)
      .join(''),
  ).toBe(CODE)
})

test.each([
  ['comment', ['// a comment', '/* two\nlines */']],
  ['string', ["'restitch'", '`a ${b} c`', '"it\'s"']],
  ['keyword', ['import', 'from', 'class', 'extends', 'static', 'const', 'false', 'const']],
  ['number', ['1_000.5']],
  ['name', ['Entity', 'Todo', 'Entity']],
  ['call', ['useSuspense']],
] as const)('%s', (kind, texts) => {
  expect(
    highlight(CODE)
      .filter((token) => token.kind === kind)
      .map(({ text }) => text),
  ).toEqual(texts)
})
