import { expect, test } from 'vitest'
import { findFaults } from '../scripts/voice.mjs'

const find = (file: string, text: string): string[] =>
  findFaults(file, text).map(({ line, words, write }) => `${file}:${line} "${words}" ${write}`)

test.each([
  ['a phrase', 'Data is\nfetched. It is under\nway.', ['x.md:2 "under way" pending, in flight']],
  [
    'an opening',
    '# Lists\n\nA list. Whatever it holds is shown.',
    ['x.md:3 "Whatever it holds is" put the subject first'],
  ],
  ['a list item', 'Rules:\n\n- `ST-1` What is old goes.', ['x.md:3 "What is old goes" put the subject first']],
  ['a table cell', '| a | b |\n| - | - |\n| x | the answer |', ['x.md:3 "answer" response, respond, return']],
])('documents: finds %s', (_, text, found) => {
  expect(find('x.md', text)).toEqual(found)
})

test.each([
  ['a question', 'What is a list? Who shows it?'],
  ['a heading', '## What to try'],
  ['a cell without a sentence', '| What it covers | Codes |'],
  ['code', 'Call `ask(for)`, `answer` or:\n\n```ts\n// What is the answer.\n```'],
  ['a link', 'See [the guide](answers/anew.md).'],
  ['a question that gets an answer', 'Each guide answers one question.'],
])('documents: leaves %s', (_, text) => {
  expect(find('x.md', text)).toEqual([])
})

test.each([
  [
    'a line comment',
    '// What is there already.\nconst NOW = 1',
    'x.ts:1 "What is there already" put the subject first',
  ],
  ['a phrase broken at a line', 'f()\n// It is given\n// up then.', 'x.ts:2 "given up" abort, cancel, stop'],
  ['a comment behind code', 'const a = 1 // made anew', 'x.ts:1 "anew" again'],
  ['a doc comment', '/**\n * Reads.\n * Who asks is told.\n */', 'x.ts:3 "Who asks" reader, subscriber, caller'],
  ['a message', "warn('The request was given up.')", 'x.ts:1 "given up" abort, cancel, stop'],
  ['a text of JSX', '<p>\n  Begin anew\n</p>', 'x.ts:2 "anew" again'],
])('code: finds %s', (_, text, found) => {
  expect(find('x.ts', text)[0]).toBe(found)
})

test('code: leaves names, short literals and examples', () => {
  const text = `/**
 * Reads.
 * @example
 * const anew = answer() // What is it.
 * @see docs/api/answer.md
 */
const answer = answers['anew'] + 'what'`
  expect(find('x.ts', text)).toEqual([])
})
