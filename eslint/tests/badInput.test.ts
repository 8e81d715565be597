import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import parser from '@typescript-eslint/parser'
import { Linter, type Rule } from 'eslint'
import { describe, expect, test } from 'vitest'
import { guard } from '../src/guard.ts'
import { rules } from '../src/rules.ts'

const ABOVE =
  "import { Entity, resource, createStore } from 'restitch'; import * as r from 'restitch/react'; import { useSuspense, useMutation, useController, useDLE } from 'restitch/react'\n"

describe('code that is legal and says little', () => {
  test.each([
    'useSuspense(); useSuspense(...args); useSuspense(...args, ...more); useMutation(); resource(); createStore(...[])',
    'const { [key]: a, ...b } = useSuspense(x); const [, c = 1, ...[d]] = useSuspense(x); a.e = b.f = c.g = d.h = 1',
    'const {} = useMutation(x); const [] = useSuspense(x); const { mutateAsync = 1 } = useMutation(x); mutateAsync()',
    'export default class extends Entity {}',
    'export default class extends Entity { id; [key] = 1; static [key] = 2; "quoted": string; 5 = 5; #own; static #mine; accessor x = 1 }',
    'class A extends A {} class B extends (class extends B {}) {} class C extends Entity {} ; (class extends Entity { id = 1 })',
    'class D extends r.Entity {} class E extends r["Entity"] {} class F extends mixin(Entity) {} class G extends null {}',
    'var a = a; var b = c; var c = b; a.x = 1; b.x = 1; const f = (x = f(x)) => x.y = 1',
    'for (const a in useSuspense(x)) a.b = 1; for (let i = 0; ; ) i.x = 1; for (const { a: { b } } of useSuspense(x)) b.c = 1',
    'function A() { return <a:b on:click={() => r.useMutation(x).mutateAsync()} {...x}>{}<A.B.C onClick={() => x()} onClick /></a:b> }',
    'const { a = useSuspense(x) } = useSuspense(y); a.b = 1; [a.b, useSuspense(x).c] = [1, 2]; ({ d: a.b } = x)',
    'new (class { constructor() { super.x = 1 } }); useController().fetch(); useController().set(); (0, useController)().fetch(x)',
    'export * from "restitch"; export * as all from "restitch"; import type X from "restitch"; import D, { type Entity as T } from "restitch"; new D(); T.x = 1',
    'import { "Entity" as Quoted } from "restitch"; class A extends Quoted { id = 1 }',
    'enum A { a = useSuspense(x) } namespace N { export const s = createStore() } declare module "x" { class Y extends Entity { id: string } }',
    'abstract class A extends Entity { abstract x: string; abstract get y(): string; declare z?: string; constructor(public q: string) { super() } }',
    'label: for (;;) { break label } delete useSuspense(x); useSuspense(x)++; useSuspense(x)`y`; import.meta.x = 1; new.target',
    'const memo = memo(memo(() => <a />)); const A = forwardRef(); defineComponent(); defineComponent({ setup: x })',
    '@x class A extends Entity { @y id = 1 }',
  ])('%s', (code) => {
    expect(run(ABOVE + code)).toMatch(/^\d+ reports$/)
  })
})

test('a random part of a file that is missing stops no rule', () => {
  const folder = fileURLToPath(new URL('planted/', import.meta.url))
  const texts = readdirSync(folder)
    .filter((name) => !name.endsWith('.vue'))
    .map((name) => readFileSync(folder + name, 'utf8'))
  const random = makeRandom(7)
  let parsed = 0
  for (let round = 0; round < 150; round += 1) {
    const text = texts[round % texts.length]!
    // Whole words and signs, so that much of what is left still parses.
    const tokens = text.match(/\w+|\s+|[^\w\s]/g)!
    const at = Math.floor(random() * tokens.length)
    const left = tokens.filter((_, index) => index < at || index > at + random() * 4).join('')
    const result = run(left)
    expect(result).not.toContain('throws')
    parsed += result === 'does not parse' ? 0 : 1
  }
  expect(parsed).toBeGreaterThan(20)
})

test('a rule that throws reports nothing', () => {
  const broken: Rule.RuleModule = {
    create: () => ({
      Program() {
        throw new Error('broken')
      },
    }),
  }
  const unmade: Rule.RuleModule = {
    create() {
      throw new Error('broken')
    },
  }
  for (const rule of [broken, unmade]) {
    const plugins = { a: { rules: { b: guard(rule) } } }
    expect(new Linter().verify('x', [{ plugins, rules: { 'a/b': 'error' } }])).toEqual([])
  }
})

// The rules themselves: a plugin guards them, and these tests look for what it would hide.
const linter = new Linter()
const config: Linter.Config = {
  files: ['**/*'],
  plugins: { restitch: { rules } },
  rules: Object.fromEntries(Object.keys(rules).map((name) => [`restitch/${name}`, 'error'])),
  languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
}

function run(code: string): string {
  try {
    const messages = linter.verify(code, [config], { filename: 'a.tsx' })
    return messages.some(({ fatal }) => fatal) ? 'does not parse' : `${messages.length} reports`
  } catch (error) {
    return `throws ${(error as Error).stack}`
  }
}

function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
