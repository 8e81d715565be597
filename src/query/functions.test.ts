import { expect, test } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { areFields, membersOf, usesArgs } from './functions.ts'

/** A function with this text, as a minifier may have written it. */
const run = (text: string): any => {
  // oxlint-disable-next-line no-eval
  return (0, eval)(`(${text})`)
}

test.each([
  ['t=>!t.done', ['done']],
  ['(t) => t.a - t?.b', ['a', 'b']],
  ['(t, { least }) => t.due >= least', ['due']],
  ['({ due, done: isDone }) => isDone && due', ['due', 'done']],
  ['function(t){return t.a}', ['a']],
  ['function named(t) { const u = 1; return t . a + t\n.b + u }', ['a', 'b']],
  ['(t) => `${t.a}`', ['a']],
  ['(t) => list.find(([t]) => t.a) === t.b', undefined],
  ['(t) => ({ ...t }).a', undefined],
  ['(t) => t', undefined],
  ['(t) => t["a"]', undefined],
  ['(t) => f(t)', undefined],
  ['(t) => t.größe', undefined],
  ['({ größe }) => größe', undefined],
  ['({ ...rest }) => rest.a', undefined],
  ['({ owner: { name } }) => name', undefined],
  ['(t, u = t) => u.a', undefined],
  ['(t = other) => t.a', undefined],
  ['(t) => \\u0074.owner.name + t.a', undefined],
  ['function(t) { return t.a + arguments[0].owner.name }', undefined],
  ['(t) => eval("t.a")', undefined],
  ['function(t) { return this.of(t.a) }', undefined],
  ['(function(t) { return t.a }).bind(null)', undefined],
])('QUE-8 the members that %s reads of a record', (text, members) => {
  expect(membersOf([run(text)])).toEqual(members)
})

test.each([
  ['t => t.a', false],
  ['({ a, b }) => a', false],
  ['(t, u) => u', true],
  ['(t, ...more) => more', true],
  ['(t, u = 1) => u', true],
  ['function(t) { return arguments[1] }', true],
])('QUE-23 whether %s sees arguments', (text, sees) => {
  expect(usesArgs(run(text), 'where')).toBe(sees)
})

test('QUE-8 fields stand in the row, but relations, converted fields, getters and methods do not', () => {
  class Team extends Entity {
    id = ''
  }
  class User extends Entity {
    id = ''
    name = ''
    at = new Date(0)
    team: Team | undefined = undefined
    static override schema: Record<string, any> = { team: Team, at: (text: string) => new Date(text) }
    get initial(): string {
      return this.name[0]!
    }
    isNew(): boolean {
      return this.name === ''
    }
  }
  const found = ['id', 'name', 'unknown', 'at', 'team', 'initial', 'isNew', 'pk', 'constructor', '__proto__']
  expect(found.filter((name) => areFields(User, [name]))).toEqual(['id', 'name', 'unknown'])
})
