// @vitest-environment happy-dom
// It replaces the timers and promises of the process.
import 'zone.js'
import { destroyPlatform, NgZone, provideZoneChangeDetection } from '@angular/core'
import { injectLive, injectMutation, provideRestitch } from 'restitch/angular'
import { Endpoint } from 'restitch'
import { expect, test, vi } from 'vitest'
import { Todo } from '../../src/testing/contract/Adapter.ts'
import { mountApp, settle } from './mountApp.ts'

test('SIG-13 an app with Zone.js is stable beside polls, timers and sweeps, and shows what they bring', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  let title = 'one'
  const get = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title }), {
    name: 'get',
    schema: Todo,
    pollFrequency: 20,
    dataExpiryLength: 100_000,
  })
  const save = new Endpoint(
    ({ id }: { id: string }, body: { title: string }) => {
      title = body.title
      return Promise.resolve({ id, ...body })
    },
    { name: 'save', schema: Todo, sideEffect: true },
  )
  class Page {
    readonly todo = injectLive(get, { id: '1' })
    readonly save = injectMutation(save)
  }
  const { app, instance, element, text } = await mountApp(
    "<button (click)=\"save.mutate({ id: '1' }, { title: 'two' })\">{{ todo.data()?.title }} {{ todo.stale() }}</button>",
    Page,
    [provideRestitch()],
    {},
    provideZoneChangeDetection(),
  )
  await app.whenStable()
  expect(text()).toBe('one false')
  const zone = app.injector.get(NgZone)
  await expect.poll(() => [zone.isStable, zone.hasPendingMacrotasks]).toEqual([true, false])
  element.querySelector('button')!.click()
  await expect.poll(text).toBe('two false')
  await app.whenStable()
  // A poll brings it.
  title = 'three'
  await expect.poll(text).toBe('three false')
  expect(zone.hasPendingMacrotasks).toBe(false)
  instance.todo.refetch()
  app.destroy()
  await settle()
  destroyPlatform()
})
