// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import * as react from 'react'
import { type ReactNode, useEffect } from 'react'
import { Collection } from 'restitch'
import { useDLE, useMutation } from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { act, counted, h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }
const save = (more?: object): any => deferredEndpoint('save', Todo, { sideEffect: true, ...more })

afterEach(() => vi.restoreAllMocks())

/** Shows a mutation, and gives access to its last result. */
function probe(
  endpoint: any,
  options?: object,
): { Probe: (props: object) => ReactNode; readonly now: any; renders: () => number } {
  let now: any
  const Probe = counted(() => {
    now = useMutation(endpoint, options)
    const { status, loading, data, error, variables } = now
    return `${status} ${loading} ${data?.title} ${error?.message} ${JSON.stringify(variables)}`
  })
  return {
    Probe,
    get now() {
      return now
    },
    renders: () => Probe.renders,
  }
}

describe('useMutation', () => {
  test.each([false, true])(
    'MUT-1 MUT-2 idle, pending, success; then error; then reset (Strict Mode: %s)',
    async (strict) => {
      const endpoint = save()
      const it = probe(endpoint)
      const screen = await show(h(it.Probe), { strict })
      expect(screen.text()).toBe('idle false undefined undefined undefined')
      const { mutate, mutateAsync, reset } = it.now
      await settle(() => expect(mutate(args, { title: 'one' })).toBeUndefined())
      expect(screen.text()).toBe('pending true undefined undefined [{"id":"1"},{"title":"one"}]')
      await settle(() => endpoint.calls[0].answer(one))
      expect(screen.text()).toBe('success false one undefined [{"id":"1"},{"title":"one"}]')
      expect(it.now.data).toBeInstanceOf(Todo)
      await settle(() => mutate(args))
      expect(screen.text()).toBe('pending true undefined undefined [{"id":"1"}]')
      await settle(() => endpoint.calls[1].fail(new Error('no')))
      expect(screen.text()).toBe('error false undefined no [{"id":"1"}]')
      await settle(() => reset())
      expect(screen.text()).toBe('idle false undefined undefined undefined')
      // The functions are the same for the life of the component.
      expect([it.now.mutate, it.now.mutateAsync, it.now.reset]).toEqual([mutate, mutateAsync, reset])
    },
  )

  test.each(['text', undefined, 0])('MUT-1 ERR-8 %s that is thrown becomes an Error', async (thrown) => {
    const endpoint = save()
    const it = probe(endpoint)
    const screen = await show(h(it.Probe))
    await settle(() => it.now.mutate(args))
    await settle(() => endpoint.calls[0].fail(thrown))
    expect(screen.text()).toBe(`error false undefined ${thrown} [{"id":"1"}]`)
    expect(it.now.error.cause).toBe(thrown)
  })

  test('MUT-1 mutate reports no rejection; mutateAsync resolves to the data, or rejects', async () => {
    const unhandled = vi.fn()
    const { process } = globalThis as any
    process?.on?.('unhandledRejection', unhandled)
    const endpoint = save()
    const it = probe(endpoint)
    await show(h(it.Probe))
    await settle(() => it.now.mutate(args))
    await settle(() => endpoint.calls[0].fail(new Error('no')))
    const outcomes = await act(async () => {
      const calls = [it.now.mutateAsync(args), it.now.mutateAsync(args)]
      await Promise.resolve()
      endpoint.calls[1].answer(one)
      endpoint.calls[2].fail(new Error('no'))
      return Promise.allSettled(calls)
    })
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: expect.objectContaining(one) },
      { status: 'rejected', reason: expect.objectContaining({ message: 'no' }) },
    ])
    await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).not.toHaveBeenCalled()
    process?.off?.('unhandledRejection', unhandled)
  })

  test('MUT-2 calls that overlap: the state is that of the last, whichever ends first', async () => {
    const endpoint = save()
    const onSuccess = vi.fn()
    const own = vi.fn()
    const it = probe(endpoint, { onSuccess })
    const screen = await show(h(it.Probe))
    await settle(() => {
      it.now.mutate.with({ onSuccess: own })({ id: '1' })
      it.now.mutate.with({ onSuccess: own })({ id: '2' })
    })
    await settle(() => endpoint.calls[0].answer(one))
    expect(screen.text()).toBe('pending true undefined undefined [{"id":"2"}]')
    await settle(() => endpoint.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('success false two undefined [{"id":"2"}]')
    await settle(() => {
      it.now.mutate({ id: '3' })
      it.now.mutate({ id: '4' })
    })
    await settle(() => endpoint.calls[3].answer({ id: '4', title: 'four' }))
    await settle(() => endpoint.calls[2].fail(new Error('late')))
    expect(screen.text()).toBe('success false four undefined [{"id":"4"}]')
    // Each call has callbacks of its own.
    expect(onSuccess.mock.calls.map(([, [{ id }]]) => id)).toEqual(['1', '2', '4'])
    expect(own.mock.calls.map(([, [{ id }]]) => id)).toEqual(['1', '2'])
  })

  test('MUT-2 a call that ends after reset() leaves the state idle', async () => {
    const endpoint = save()
    const it = probe(endpoint)
    const screen = await show(h(it.Probe))
    await settle(() => it.now.mutate(args))
    await settle(() => it.now.reset())
    await settle(() => endpoint.calls[0].answer(one))
    expect(screen.text()).toBe('idle false undefined undefined undefined')
  })

  test('MUT-3 callbacks get the outcome and the arguments: those of the hook first, then those of the call', async () => {
    const endpoint = save()
    const told: unknown[] = []
    const note =
      (name: string) =>
      (...given: any[]): void => {
        told.push([name, ...given.map((value) => value?.title ?? value?.message ?? value)])
      }
    const callbacks = (name: string): object => ({
      onSuccess: note(`${name} success`),
      onError: note(`${name} error`),
      onSettled: note(`${name} settled`),
    })
    const it = probe(endpoint, callbacks('hook'))
    await show(h(it.Probe))
    const variables = [args, { title: 'body' }]
    await settle(() => it.now.mutate.with(callbacks('call'))(...variables))
    await settle(() => endpoint.calls[0].answer(one))
    expect(told.splice(0)).toEqual([
      ['hook success', 'one', variables],
      ['hook settled', 'one', undefined, variables],
      ['call success', 'one', variables],
      ['call settled', 'one', undefined, variables],
    ])
    const promise = it.now.mutateAsync.with(callbacks('call'))(args)
    promise.catch(() => {})
    await settle(() => endpoint.calls[1].fail(new Error('no')))
    expect(told).toEqual([
      ['hook error', 'no', [args]],
      ['hook settled', undefined, 'no', [args]],
      ['call error', 'no', [args]],
      ['call settled', undefined, 'no', [args]],
    ])
  })

  test('MUT-3 an error of a callback is reported, and leaves the mutation and the other callbacks alone', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const endpoint = save()
    const onSettled = vi.fn()
    const broken = new Error('callback')
    const it = probe(endpoint, {
      onSuccess() {
        throw broken
      },
      onSettled,
    })
    const screen = await show(h(it.Probe))
    await settle(() => it.now.mutate(args))
    await settle(() => endpoint.calls[0].answer(one))
    expect(screen.text()).toContain('success false one')
    expect(report.mock.calls).toEqual([[broken]])
    expect(onSettled).toHaveBeenCalledTimes(1)
    vi.unstubAllGlobals()
  })

  test('MUT-3 callbacks, endpoint and arguments are those of the last render', async () => {
    const endpoints: any = { a: save({ name: 'a' }), b: save({ name: 'b' }) }
    const told: string[] = []
    let mutate!: (...args: any[]) => void
    const first: { mutate?: typeof mutate } = {}
    const Save = ({ name }: { name: string }): ReactNode => {
      const mutation: any = useMutation(endpoints[name], { onSuccess: () => void told.push(name) })
      mutate = mutation.mutate
      first.mutate ??= mutate
      return null
    }
    const screen = await show(h(Save, { name: 'a' }))
    await settle(() => mutate(args))
    await act(async () => screen.rerender(h(Save, { name: 'b' })))
    await settle(() => endpoints.a.calls[0].answer(one))
    await settle(() => first.mutate!(args))
    await settle(() => endpoints.b.calls[0].answer(one))
    expect(told).toEqual(['b', 'b'])
    expect(first.mutate).toBe(mutate)
  })

  test('MUT-4 after the unmount: the response is stored, callbacks of the hook run, those of the call do not', async () => {
    const error = vi.spyOn(console, 'error')
    const endpoint = save()
    const onSuccess = vi.fn()
    const own = vi.fn()
    const it = probe(endpoint, { onSuccess })
    const screen = await show(h(it.Probe))
    const renders = it.renders()
    await settle(() => it.now.mutate.with({ onSuccess: own })(args))
    expect(it.renders()).toBe(renders + 1)
    screen.unmount()
    await settle(() => endpoint.calls[0].answer(one))
    expect(it.renders()).toBe(renders + 1)
    expect(screen.store.controller.get(Todo, args)?.title).toBe('one')
    expect([onSuccess.mock.calls.length, own.mock.calls.length]).toEqual([1, 0])
    expect(error).not.toHaveBeenCalled()
  })

  test('MUT-5 RCT-8 a component renders for the members that it reads', async () => {
    const endpoint = save()
    const Button = counted(() => {
      const { mutate } = useMutation(endpoint)
      return h('button', { onClick: () => mutate(args) })
    })
    const Loading = counted(() => {
      const { loading, mutate } = useMutation(endpoint)
      return h('i', { onClick: () => mutate(args) }, `${loading}`)
    })
    const Rest = counted(() => {
      const { mutate, ...rest } = useMutation(endpoint)
      return h('u', { onClick: () => mutate(args) }, Object.keys(rest).join())
    })
    const screen = await show([h(Button, { key: 1 }), h(Loading, { key: 2 }), h(Rest, { key: 3 })])
    const rendersOf = async (Part: { renders: number }, run: () => unknown): Promise<number> => {
      Part.renders = 0
      await settle(() => void run())
      return Part.renders
    }
    const click = (selector: string): void => screen.container.querySelector<HTMLElement>(selector)!.click()
    expect(await rendersOf(Button, () => click('button'))).toBe(0)
    expect(await rendersOf(Button, () => endpoint.calls[0].answer(one))).toBe(0)
    expect(await rendersOf(Loading, () => click('i'))).toBe(1)
    // Another call while one is pending: still loading.
    expect(await rendersOf(Loading, () => click('i'))).toBe(0)
    expect(await rendersOf(Loading, () => endpoint.calls[1].answer(one))).toBe(0)
    expect(await rendersOf(Loading, () => endpoint.calls[2].answer(one))).toBe(1)
    expect(await rendersOf(Rest, () => click('u'))).toBe(1)
    expect(await rendersOf(Rest, () => click('u'))).toBe(1)
    expect(screen.text()).toBe('falsemutateAsync,reset,data,error,loading,status,variables')
  })

  test('MUT-5 RCT-9 a response renders a component once that shows the mutation and what it changes', async () => {
    const { store, clock } = open()
    const list = deferredEndpoint('list', new Collection([Todo]), { dataExpiryLength: Infinity })
    await store.controller.setResponse(list, {}, [])
    const create = deferredEndpoint('create', list.schema.push, { sideEffect: true })
    const seen: string[] = []
    let mutate!: (...args: any[]) => void
    const Screen = counted(() => {
      const mutation = useMutation(create)
      mutate = mutation.mutate
      seen.push(`${(useDLE(list, {}) as any).data.length} ${mutation.loading}`)
      return null
    })
    await show(h(Screen), { store, clock })
    await settle(() => mutate({}, { title: 'one' }))
    await settle(() => create.calls[0].answer(one))
    expect(seen).toEqual(['0 false', '0 true', '1 false'])
  })

  test('MUT-1 onClick={mutate} sends no event', async () => {
    const endpoint = save()
    const Logout = (): ReactNode => h('button', { onClick: useMutation(endpoint).mutate as () => void })
    const screen = await show(h(Logout))
    await settle(() => screen.container.querySelector('button')!.click())
    expect(endpoint.calls[0].args).toEqual([])
  })

  test('MUT-4 a child that mutates when it is mounted is followed', async () => {
    const endpoint = save()
    const Child = ({ mutate }: { mutate: (...args: any[]) => void }): ReactNode => {
      useEffect(() => mutate(args), [mutate])
      return null
    }
    const Parent = (): ReactNode => {
      const { mutate, status } = useMutation(endpoint)
      return [status, h(Child, { mutate, key: 1 })]
    }
    const screen = await show(h(Parent))
    expect(screen.text()).toBe('pending')
    await settle(() => endpoint.calls[0].answer(one))
    expect(screen.text()).toBe('success')
  })

  test('MUT-1 RCT-5 a refusal by the library is an error too', async () => {
    const endpoint = save()
    const it = probe(endpoint)
    const screen = await show(h(it.Probe))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await settle(() => it.now.mutate(args))
    await settle(() => endpoint.calls[0].answer({ title: 'without an id' }))
    expect(screen.text()).toMatch(/^error false undefined .*pk|primary key/)
  })
})

describe.skipIf(is18)('MUT-6 with React 19', () => {
  const { Activity, useActionState, useOptimistic, useTransition } = react as any

  test('MUT-4 RCT-6 a part of the page that is hidden during it shows the outcome when it is visible again', async () => {
    const endpoint = save()
    const it = probe(endpoint)
    const own = vi.fn()
    const App = ({ mode }: { mode: string }): ReactNode => h(Activity, { mode }, h(it.Probe))
    const screen = await show(h(App, { mode: 'visible' }))
    await settle(() => it.now.mutate.with({ onSuccess: own })(args))
    await act(async () => screen.rerender(h(App, { mode: 'hidden' })))
    await settle(() => endpoint.calls[0].answer(one))
    await act(async () => screen.rerender(h(App, { mode: 'visible' })))
    expect(screen.text()).toBe('success false one undefined [{"id":"1"}]')
    expect(own).not.toHaveBeenCalled()
  })

  test('MUT-6 RCT-8 inside a transition: loading is shown at once, and isPending until the response', async () => {
    const endpoint = save()
    let start!: () => void
    const Save = (): ReactNode => {
      const [isPending, startTransition] = useTransition()
      const { mutateAsync, loading, data } = useMutation(endpoint) as any
      start = () => startTransition(() => mutateAsync(args))
      return `${isPending} ${loading} ${data?.title}`
    }
    const screen = await show(h(Save))
    await settle(() => start())
    expect(screen.text()).toBe('true true undefined')
    await settle(() => endpoint.calls[0].answer(one))
    expect(screen.text()).toBe('false false one')
  })

  test('MUT-6 <form action> with useActionState: pending, the error of a 422, success, and the form is reset', async () => {
    const endpoint = save()
    const Form = (): ReactNode => {
      const { mutateAsync } = useMutation(endpoint) as any
      const [message, action, isPending] = useActionState(async (_last: string, form: FormData) => {
        try {
          const todo = await mutateAsync(args, { title: form.get('title') })
          return `saved ${todo.title}`
        } catch (error) {
          return `failed: ${(error as Error).message}`
        }
      }, 'new')
      return h('form', { action } as object, h('input', { name: 'title', defaultValue: '' }), `${message} ${isPending}`)
    }
    const screen = await show(h(Form))
    const form = screen.container.querySelector('form')!
    const input = screen.container.querySelector('input')!
    expect(screen.text()).toBe('new false')
    input.value = 'x'
    await settle(() => void fireEvent.submit(form))
    expect(screen.text()).toBe('new true')
    expect(endpoint.calls[0].args).toEqual([args, { title: 'x' }])
    await settle(() => endpoint.calls[0].fail(Object.assign(new Error('title is too short'), { status: 422 })))
    expect(screen.text()).toBe('failed: title is too short false')
    await settle(() => void fireEvent.submit(form))
    await settle(() => endpoint.calls[1].answer(one))
    expect(screen.text()).toBe('saved one false')
  })

  test('MUT-6 useOptimistic shows its value until the response is there, and the stored one from then on', async () => {
    const { store, clock } = open()
    await store.controller.set(Todo, args, one)
    const endpoint = save()
    const seen: string[] = []
    let rename!: (title: string) => void
    const Title = (): ReactNode => {
      const todo: any = useDLE(deferredEndpoint('get', Todo), args).data
      const [title, setTitle] = useOptimistic(todo.title)
      const [, startTransition] = useTransition()
      const { mutateAsync } = useMutation(endpoint) as any
      rename = (next) =>
        startTransition(async () => {
          setTitle(next)
          await mutateAsync(args, { title: next })
        })
      seen.push(title)
      return title
    }
    const screen = await show(h(Title), { store, clock })
    await settle(() => rename('two'))
    expect(screen.text()).toBe('two')
    await settle(() => endpoint.calls[0].answer({ id: '1', title: 'two!' }))
    expect(screen.text()).toBe('two!')
    expect(seen.filter((title, at) => title !== seen[at - 1])).toEqual(['one', 'two', 'two!'])
  })
})
