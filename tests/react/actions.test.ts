// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import * as react from 'react'
import { type ReactNode, useState } from 'react'
import { Collection } from 'restitch'
import { useController, useQuery, useSuspense } from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { counted, h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

// React 18 has none of them.
const { useActionState, useOptimistic, useTransition } = react as any
const args = { id: '1' }
const one = { id: '1', title: 'one' }
const two = { id: '1', title: 'two' }
const save = (more: object = {}): any => deferredEndpoint('save', Todo, { sideEffect: true, ...more })

afterEach(() => vi.restoreAllMocks())

/** A store that knows one record, and the list that holds it. */
async function prepare(): Promise<{ list: any; store: any; clock: any }> {
  const { store, clock } = open()
  const list = deferredEndpoint('list', new Collection([Todo]))
  await store.controller.setResponse(list, {}, [one])
  return { list, store, clock }
}

describe.skipIf(is18)('RCT-16 actions of React 19', () => {
  test.each([false, true])(
    'RCT-16 startTransition(async): pending until the response, which is on the screen with what follows it (Strict Mode: %s)',
    async (strict) => {
      const { store, clock } = await prepare()
      const update = save()
      let run!: () => void
      const seen: string[] = []
      const Title = (): ReactNode => {
        const controller = useController()
        const [saved, setSaved] = useState(0)
        const [isPending, startTransition] = useTransition()
        const { title } = useQuery(Todo, args) as any
        run = () =>
          startTransition(async () => {
            await controller.fetch(update, args, two)
            startTransition(() => setSaved((n) => n + 1))
          })
        const text = `${title} ${isPending} ${saved}`
        seen.push(text)
        return text
      }
      const screen = await show(h(Title), { store, clock, strict })
      await settle(() => run())
      expect(screen.text()).toBe('one true 0')
      await settle(() => update.calls[0].answer(two))
      expect(screen.text()).toBe('two false 1')
      expect(seen).not.toContain('one false 1')
    },
  )

  test('RCT-16 RCT-8 an optimistic response is shown at once, inside a transition too, and rolled back by a failure', async () => {
    const { store, clock } = await prepare()
    const update = save({ getOptimisticResponse: (_: unknown, { id }: any, body: any) => ({ id, ...body }) })
    let run!: () => void
    const Title = counted(() => {
      const controller = useController()
      const [isPending, startTransition] = useTransition()
      run = () => startTransition(() => controller.fetch(update, args, two).catch(() => {}))
      return `${(useQuery(Todo, args) as any).title} ${isPending}`
    })
    const screen = await show(h(Title), { store, clock })
    await settle(() => run())
    expect(screen.text()).toBe('two true')
    await settle(() => update.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('one false')
  })

  test('RCT-16 useOptimistic shows its value until the store has the response, and never the old one in between', async () => {
    const { list, store, clock } = await prepare()
    const create = deferredEndpoint('create', list.schema.push, { sideEffect: true })
    let add!: (title: string) => void
    const seen: string[] = []
    const List = (): ReactNode => {
      const controller = useController()
      const todos = useSuspense(list, {}) as any[]
      const [shown, addOptimistic] = useOptimistic(todos, (now: any[], title: string) => [
        ...now,
        { title: `${title}…` },
      ])
      const [, startTransition] = useTransition()
      add = (title) =>
        startTransition(async () => {
          addOptimistic(title)
          await controller.fetch(create, {}, { title })
        })
      const text = shown.map(({ title }: any) => title).join()
      seen.push(text)
      return text
    }
    const screen = await show(h(List), { store, clock })
    await settle(() => add('two'))
    expect(screen.text()).toBe('one,two…')
    await settle(() => create.calls[0].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('one,two')
    expect(seen.slice(seen.indexOf('one,two…'))).not.toContain('one')
  })

  test('RCT-16 useActionState: one call after the other, each with the result of the last', async () => {
    const { store, clock } = await prepare()
    const update = save()
    let act!: (title: string) => void
    const Form = (): ReactNode => {
      const controller = useController()
      const [state, action, isPending] = useActionState(async (last: string[], title: string) => {
        const todo = await controller.fetch(update, args, { title })
        return [...last, (todo as any).title]
      }, [])
      const [, startTransition] = useTransition()
      act = (title) => startTransition(() => action(title))
      return `${state.join()} ${isPending} ${(useQuery(Todo, args) as any).title}`
    }
    const screen = await show(h(Form), { store, clock })
    await settle(() => (act('a'), act('b')))
    expect([screen.text(), update.calls.length]).toEqual([' true one', 1])
    await settle(() => update.calls[0].answer({ id: '1', title: 'a' }))
    // The store shows each response at once.
    expect([screen.text(), update.calls.length]).toEqual([' true a', 2])
    await settle(() => update.calls[1].answer({ id: '1', title: 'b' }))
    expect(screen.text()).toBe('a,b false b')
  })

  test('RCT-16 <form action>: the fields are sent, the form is reset, and a failure reaches the boundary', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { store, clock } = await prepare()
    const update = save()
    const Form = (): ReactNode => {
      const controller = useController()
      const action = async (form: FormData): Promise<void> => {
        await controller.fetch(update, args, { title: form.get('title') })
      }
      return h(
        'form',
        { action } as object,
        h('input', { name: 'title', defaultValue: '' }),
        (useQuery(Todo, args) as any).title,
      )
    }
    const screen = await show(h(Form), { store, clock })
    const form = screen.container.querySelector('form')!
    const input = screen.container.querySelector('input')!
    input.value = 'two'
    await settle(() => void fireEvent.submit(form))
    expect(update.calls[0].args).toEqual([args, { title: 'two' }])
    expect(input.value).toBe('two')
    await settle(() => update.calls[0].answer(two))
    expect([screen.text(), input.value]).toEqual(['two', ''])
    await settle(() => void fireEvent.submit(form))
    await settle(() => update.calls[1].fail(new Error('no')))
    expect(screen.text()).toBe('failed: no')
  })
})
