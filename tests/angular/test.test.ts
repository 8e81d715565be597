// @vitest-environment happy-dom
import '@angular/compiler'
import { Component, provideZonelessChangeDetection, signal } from '@angular/core'
import { TestBed } from '@angular/core/testing'
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing'
import { RestEndpoint } from 'restitch'
import { injectData, injectMutation } from 'restitch/angular'
import { provideMockRestitch, renderData } from 'restitch/angular/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Todo } from '../../src/testing/contract/Adapter.ts'

const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })
const update = getTodo.extend({ method: 'PATCH', body: {} as { title: string } })
const fixtures = [
  { endpoint: getTodo, args: [{ id: '1' }] as [{ id: string }], response: { id: '1', title: 'one' } },
  { endpoint: getTodo, args: [{ id: '2' }] as [{ id: string }], response: { id: '2', title: 'two' } },
  { endpoint: update, response: ({ id }: any, body: any) => ({ id, ...body }) },
]

beforeAll(() => {
  TestBed.initTestEnvironment(BrowserTestingModule, platformBrowserTesting())
})
afterAll(() => {
  TestBed.resetTestEnvironment()
})
beforeEach(() => {
  TestBed.configureTestingModule({ providers: [provideZonelessChangeDetection()] })
})
afterEach(() => {
  TestBed.resetTestingModule()
})

test('SIG-10 renderData runs a function with fixtures, and follows the signals of its arguments', async () => {
  const id = signal('1')
  const { result, allSettled, cleanup } = renderData(() => injectData(getTodo, () => ({ id: id() })), {
    resolverFixtures: fixtures,
  })
  expect(result.loading()).toBe(true)
  expect(await allSettled()).toMatchObject([{ status: 'fulfilled' }])
  expect(result.data()?.title).toBe('one')
  id.set('2')
  await allSettled()
  expect(result.data()?.title).toBe('two')
  cleanup()
  id.set('3')
  expect(await allSettled()).toEqual([])
})

test('SIG-10 provideMockRestitch gives fixtures to components, and whenStable waits for them', async () => {
  class Page {
    readonly todo = injectData(getTodo, { id: '1' })
    readonly update = injectMutation(update)
  }
  Component({
    selector: 'app-tested',
    template: "<button (click)=\"update.mutate({ id: '1' }, { title: 'new' })\">{{ todo.data()?.title }}</button>",
  })(Page)
  TestBed.configureTestingModule({ providers: [provideMockRestitch({ resolverFixtures: fixtures })] })
  const fixture = TestBed.createComponent(Page)
  const button = (fixture.nativeElement as Element).querySelector('button')!
  await fixture.whenStable()
  expect(button.textContent).toBe('one')
  button.click()
  await fixture.whenStable()
  expect(button.textContent).toBe('new')
})
