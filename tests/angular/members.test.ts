// @vitest-environment happy-dom
import '@angular/compiler'
import { Component, destroyPlatform, effect, Input, input, isSignal, signal } from '@angular/core'
import { injectData, injectMutation, injectQuery, provideRestitch } from 'restitch/angular'
import { resource } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { mountApp, settle } from './mountApp.ts'

let errors: unknown[] = []
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation((...parts) => void errors.push(parts))
})
afterEach(() => {
  destroyPlatform()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
  // Among them: an expression has changed after it was checked.
  if (errors.length > 0) {
    throw new Error('The page has errors', { cause: errors })
  }
})

test('SIG-3 an effect runs for the members that it reads, and not for those that others read', async () => {
  const get = deferredEndpoint('get', Todo)
  const seen: string[] = []
  class Page {
    readonly todo = injectData(get, { id: '1' })
    constructor() {
      effect(() => void seen.push(`data ${this.todo.data()?.title}`))
      effect(() => void seen.push(`fetching ${this.todo.fetching()}`))
    }
  }
  const { instance } = await mountApp('{{ todo.data()?.title }}', Page, [provideRestitch({ store: open().store })])
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => instance.todo.refetch())
  await settle(() => get.calls[1].answer({ id: '1', title: 'one' }))
  expect(seen).toEqual([
    'data undefined',
    'fetching true',
    'data one',
    'fetching false',
    'fetching true',
    'fetching false',
  ])
})

test('SIG-4 what an endpoint reads while its request is sent is not tracked', async () => {
  const token = signal('a')
  const get = deferredEndpoint('get', Todo)
  const reading = get.extend({
    name: 'reading',
    fetch(...args: any[]) {
      token()
      return get(...args)
    },
  })
  class Page {
    readonly todo = injectData(reading, { id: '1' })
  }
  const { text } = await mountApp('{{ todo.data()?.title }}', Page, [provideRestitch({ store: open().store })])
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => token.set('b'))
  expect(text()).toBe('one')
  expect(get.calls).toHaveLength(1)
})

test('SIG-12 each member is a signal, and state has data, loading and error', async () => {
  const get = deferredEndpoint('get', Todo)
  class Page {
    readonly todo = injectData(get, { id: '1' })
  }
  const { instance } = await mountApp('', Page, [provideRestitch({ store: open().store })])
  const { refetch: _, ...signals } = instance.todo
  expect(Object.values(signals).every(isSignal)).toBe(true)
  expect(instance.todo.state()).toMatchObject({ data: undefined, loading: true, error: undefined })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  const state = instance.todo.state()
  expect(state).toMatchObject({ data: { title: 'one' }, loading: false, error: undefined })
  await settle(() => instance.todo.refetch())
  expect(instance.todo.state()).toBe(state)
})

test('SIG-12 required inputs are there when the arguments are read', async () => {
  const get = deferredEndpoint('get', Todo)
  class Title {
    readonly id = input.required<string>()
    readonly todo = injectData(get, () => ({ id: this.id() }))
  }
  // A compiler writes this for `input()`.
  Input({ isSignal: true, alias: 'id', required: true } as Input)(Title.prototype, 'id')
  Component({ selector: 'app-title', template: '{{ todo.data()?.title }}' })(Title)
  class Page {
    readonly id = signal('1')
  }
  const { instance, text } = await mountApp(
    '<app-title [id]="id()" />',
    Page,
    [provideRestitch({ store: open().store })],
    { imports: [Title] },
  )
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(text()).toBe('one')
  await settle(() => instance.id.set('2'))
  await settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
  expect(text()).toBe('two')
})

test('SIG-11 a view of a deleted record that onSuccess closes fetches nothing', async () => {
  const get = deferredEndpoint('get', Todo)
  const sent: string[] = []
  const remove = resource({ path: '/todos/:id', schema: Todo }).delete.extend({
    fetchResponse: (url: string) => {
      sent.push(url)
      return Promise.resolve(new Response(null, { status: 204 }))
    },
  })
  class Detail {
    readonly todo = injectData(get, { id: '1' })
  }
  Component({ selector: 'app-detail', template: '{{ todo.data()?.title }}' })(Detail)
  class Page {
    readonly isOpen = signal(true)
    readonly remove = injectMutation(remove, { onSuccess: () => this.isOpen.set(false) })
    readonly first = injectQuery(Todo, { id: '1' })
  }
  const { instance, text } = await mountApp(
    '@if (isOpen()) { <app-detail /> } @else { {{ first()?.title ?? "gone" }} }',
    Page,
    [provideRestitch({ store: open().store })],
    { imports: [Detail] },
  )
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(text()).toBe('one')
  await settle(() => instance.remove.mutateAsync({ id: '1' }))
  await settle()
  expect(text()).toBe('gone')
  expect(sent).toEqual(['/todos/1'])
  expect(get.calls).toHaveLength(1)
})

test('SIG-12 a reader outside of an injection context says where it belongs', async () => {
  const get = deferredEndpoint('get', Todo)
  expect(() => injectData(get, { id: '1' })).toThrow(
    expect.objectContaining({ code: 'provider-missing', message: expect.stringContaining('runInInjectionContext') }),
  )
})
