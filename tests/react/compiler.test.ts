// @vitest-environment happy-dom
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import * as react from 'react'
import * as runtime from 'react/compiler-runtime'
import { expect, test } from 'vitest'
import * as hooks from 'restitch/react'
import { counted, h, settle, show, Todo, deferredEndpoint } from './cases.ts'

const require = createRequire(resolve(import.meta.dirname, '../compiler/package.json'))

/** Compiles the functions of a module with the React Compiler, and gives them. */
function compile(code: string, scope: Record<string, unknown>): { text: string; module: any } {
  const { transformSync } = require('@babel/core') as { transformSync(code: string, options: object): { code: string } }
  const { code: text } = transformSync(code, {
    filename: 'Title.js',
    configFile: false,
    babelrc: false,
    // A component that the compiler skips is a failure here.
    plugins: [[require.resolve('babel-plugin-react-compiler'), { panicThreshold: 'all_errors' }]],
  })
  const body = text
    .replace(/import \{ c as (\w+) \} from "react\/compiler-runtime";/, 'const $1 = runtime.c;')
    .replaceAll(/import \{([^}]*)\} from "(react|restitch\/react)";/g, (_, names: string, from: string) => {
      return `const {${names}} = ${from === 'react' ? 'react' : 'hooks'};`
    })
    .replace(/export \{([^}]*)\};?/, 'return {$1};')
  const names = Object.keys(scope)
  // oxlint-disable-next-line typescript/no-implied-eval -- what a bundler would do
  const run = new Function('react', 'hooks', 'runtime', ...names, body) as (...args: unknown[]) => unknown
  return { text, module: run(react, hooks, runtime, ...names.map((name) => scope[name])) }
}

test('RCT-8 the React Compiler compiles components that use the hooks, and they follow the store', async () => {
  const get = deferredEndpoint('get', Todo)
  const Row = counted(({ title }: { title: string }) => `${title};`)
  const { text, module } = compile(
    `import { createElement, useState } from "react"
     import { useSuspense, useQuery, useDLE, useCache, useController, useFetch, useLive, useError, useLoading, useDebounce } from "restitch/react"
     function Title({ id }) {
       const todo = useSuspense(get, { id })
       const again = useQuery(Todo, { id })
       const { data, loading, error } = useDLE(get, { id })
       const cached = useCache(get, { id })
       const failed = useError(get, { id })
       const live = useLive(get, { id })
       useFetch(get, { id })
       const [text] = useDebounce(id, 10)
       const controller = useController()
       const [save, saving] = useLoading((title) => controller.set(Todo, { id }, { id, title }), [id])
       const [n, setN] = useState(0)
       hand({ save, again: () => setN(n + 1) })
       const titles = [todo, again, data, cached, live].map((one) => one.title)
       return createElement(createElement ? "p" : "", null, createElement(Row, { title: titles.join() }), [loading, saving, error, failed, text].join())
     }
     export { Title }`,
    { get: get.extend({ pollFrequency: 1e6 }), Todo, Row, hand: (given: any) => Object.assign(handed, given) },
  )
  expect(text).toContain('compiler-runtime')
  const screen = await show(h(module.Title as any, { id: '1' }))
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(screen.text()).toBe(`${Array(5).fill('one').join()};false,false,,,1`)
  Row.renders = 0
  await settle(() => handed.again())
  expect(screen.text()).toContain('one,one')
  await settle(() => handed.save('two'))
  expect(screen.text()).toBe(`${Array(5).fill('two').join()};false,false,,,1`)
})

test('MUT-5 RCT-8 the React Compiler compiles components that use useMutation, and they follow its state', async () => {
  const save = deferredEndpoint('save', Todo, { sideEffect: true })
  const { module } = compile(
    `import { createElement } from "react"
     import { useMutation } from "restitch/react"
     function Save({ id }) {
       const mutation = useMutation(save)
       const { mutate, loading, ...rest } = useMutation(save, { onSuccess: (todo) => mutation.mutate({ id }, { title: todo.title }) })
       hand({ save: () => mutate.with({})({ id }) })
       return createElement("p", null, [loading, rest.status, rest.variables?.[0].id, mutation.status, mutation.data?.title].join())
     }
     export { Save }`,
    { save, hand: (given: any) => Object.assign(handed, given) },
  )
  const screen = await show(h(module.Save as any, { id: '1' }))
  expect(screen.text()).toBe('false,idle,,idle,')
  await settle(() => handed.save())
  expect(screen.text()).toBe('true,pending,1,idle,')
  await settle(() => save.calls[0].answer({ id: '1', title: 'one' }))
  expect(screen.text()).toBe('false,success,1,pending,')
  await settle(() => save.calls[1].answer({ id: '1', title: 'two' }))
  expect(screen.text()).toBe('false,success,1,success,two')
})

test('DLE-1 RCT-8 the React Compiler compiles components that read members of useDLE, and they follow each of them', async () => {
  const get = deferredEndpoint('get', Todo, { dataExpiryLength: Infinity, errorPolicy: () => 'soft' })
  const Row = counted(({ text }: { text: string }) => text)
  const { module } = compile(
    `import { createElement, useState } from "react"
     import { useDLE } from "restitch/react"
     function describe(dle) {
       return [dle.data?.title, dle.fetching, dle.refetchError?.message, dle.stale].join()
     }
     function Title({ id }) {
       const dle = useDLE({ endpoint: get, keepPrevious: true }, { id })
       const { data, ...rest } = useDLE(get, { id })
       return createElement("p", null, createElement(Row, { text: describe(dle) }), " ", rest.fetching, "", String(rest.loading), data?.title)
     }
     export { Title }`,
    { get, Row },
  )
  const screen = await show(h(module.Title as any, { id: '1' }))
  expect(screen.text()).toBe(',true,,false true')
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(screen.text()).toBe('one,false,,false falseone')
  await settle(() => void screen.store.controller.fetch(get, { id: '1' }).catch(() => {}))
  expect(screen.text()).toBe('one,true,,false falseone')
  await settle(() => get.calls[1].fail(new Error('no')))
  expect(screen.text()).toBe('one,false,no,true falseone')
  await settle(() => screen.rerender(h(module.Title as any, { id: '2' })))
  expect(screen.text()).toBe('one,true,,false true')
  await settle(() => get.calls[2].answer({ id: '2', title: 'two' }))
  expect(screen.text()).toBe('two,false,,false falsetwo')
})
const handed: any = {}
