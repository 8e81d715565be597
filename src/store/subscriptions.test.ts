import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { steady } from '../base/clock.ts'
import { Subscriptions } from './subscriptions.ts'

const timers: (() => void)[] = []
const clock = { now: () => 0, setTimeout: (run: () => void) => timers.push(run), clearTimeout: () => {} }
const errors: unknown[] = []

beforeEach(() => {
  timers.length = 0
  errors.length = 0
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
})
afterEach(() => vi.unstubAllGlobals())

const microtask = (): Promise<void> => Promise.resolve()

function reader(tell: () => void = () => {}): { tell(): void } & { calls: number } {
  return {
    calls: 0,
    tell() {
      this.calls++
      tell()
    },
  }
}

test('ST-19 the first own write of a stretch of code notifies before it returns, the others in one microtask', async () => {
  const subscriptions = new Subscriptions(clock)
  const a = reader()
  const write = (): void => {
    subscriptions.add(a)
    subscriptions.flush(true)
  }
  write()
  expect(a.calls).toBe(1)
  for (let i = 0; i < 1000; i++) {
    write()
  }
  expect(a.calls).toBe(1)
  await microtask()
  expect(a.calls).toBe(2)
  await microtask()
  write()
  expect(a.calls).toBe(3)
  expect(timers).toEqual([])
})

test('ST-19 responses notify once, in one microtask', async () => {
  const subscriptions = new Subscriptions(clock)
  const a = reader()
  for (let i = 0; i < 1000; i++) {
    subscriptions.add(a)
    subscriptions.flush(false)
  }
  expect(a.calls).toBe(0)
  await microtask()
  expect(a.calls).toBe(1)
  // A second one does not put off the microtask of the first.
  subscriptions.add(a)
  subscriptions.flush(false)
  const next = microtask().then(() => a.calls)
  subscriptions.add(a)
  subscriptions.flush(false)
  expect(await next).toBe(2)
})

test('ST-19 an own write after a response notifies of both at once', async () => {
  const subscriptions = new Subscriptions(clock)
  const a = reader()
  const b = reader()
  subscriptions.add(a)
  subscriptions.flush(false)
  subscriptions.add(b)
  subscriptions.flush(true)
  expect([a.calls, b.calls]).toEqual([1, 1])
  await microtask()
  expect([a.calls, b.calls]).toEqual([1, 1])
})

test('ST-20 one that throws stops no other, and its error is reported', () => {
  const subscriptions = new Subscriptions(clock)
  const oops = new Error('oops')
  const a = reader(() => {
    throw oops
  })
  const b = reader()
  subscriptions.add(a)
  subscriptions.add(b)
  subscriptions.flush(true)
  expect(b.calls).toBe(1)
  expect(errors).toEqual([oops])
})

test('ST-20 without reportError errors go to the console', () => {
  vi.stubGlobal('reportError', undefined)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const subscriptions = new Subscriptions(clock)
  subscriptions.add(
    reader(() => {
      throw new Error('oops')
    }),
  )
  subscriptions.flush(true)
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

test('ST-20 writes of a listener notify in the next round, after all other listeners', () => {
  const subscriptions = new Subscriptions(clock)
  const order: string[] = []
  let wrote = false
  const a = reader(() => {
    order.push('a')
    if (wrote) {
      return
    }
    wrote = true
    subscriptions.add(a)
    subscriptions.flush(true)
    order.push('a wrote')
  })
  subscriptions.add(a)
  subscriptions.add(reader(() => order.push('b')))
  subscriptions.flush(true)
  expect(order).toEqual(['a', 'a wrote', 'b', 'a'])
})

test('ST-20 after 100 rounds without rest notify-loop is reported, and telling goes on in a new task', () => {
  const subscriptions = new Subscriptions(clock)
  let stop = false
  const a = reader(() => {
    if (stop) {
      return
    }
    subscriptions.add(a)
    subscriptions.flush(true)
  })
  subscriptions.add(a)
  subscriptions.flush(true)
  expect(a.calls).toBe(100)
  expect(errors).toMatchObject([{ code: 'notify-loop', name: 'RestitchError' }])
  expect((errors[0] as Error).message).toMatch(/^Listeners of the store kept writing to it for 100 rounds/)
  expect(timers).toHaveLength(1)
  stop = true
  timers[0]!()
  expect(a.calls).toBe(101)
  expect(timers).toHaveLength(1)
})

test('ST-21 a clock that steps back counts as time that has passed', () => {
  const times = [100, 150, 20, 30, 5, 500]
  const shown = [100, 150, 280, 290, 315, 810]
  const held = steady({ ...clock, now: () => times.shift()! })
  expect(shown.map(() => held.now())).toEqual(shown)
})

test('ST-19 nobody is notified while notifications are held; then all at once, in a microtask of its own', async () => {
  const subscriptions = new Subscriptions(clock)
  const a = reader()
  const write = (own: boolean): void => {
    subscriptions.add(a)
    subscriptions.flush(own)
  }
  write(false)
  const release = subscriptions.hold()
  const inner = subscriptions.hold()
  write(true)
  write(false)
  inner()
  expect(a.calls).toBe(0)
  const order: string[] = []
  void microtask().then(() => order.push(`before ${a.calls}`))
  release()
  void microtask().then(() => order.push(`after ${a.calls}`))
  await microtask()
  await microtask()
  expect([a.calls, order]).toEqual([1, ['before 0', 'after 1']])
  // Without a write there is nothing to notify of.
  subscriptions.hold()()
  await microtask()
  expect(a.calls).toBe(1)
})

test('ST-19 callers who wait are called when the readers of all writes so far have been notified', async () => {
  const subscriptions = new Subscriptions(clock)
  const log: string[] = []
  const a = reader(() => {
    log.push('a')
    subscriptions.after(() => log.push('within'))
  })
  subscriptions.after(() => log.push('at once'))
  expect(subscriptions.whenTold()).toBe(subscriptions.whenTold())
  const write = (): void => {
    subscriptions.add(a)
    subscriptions.flush(false)
  }
  write()
  subscriptions.after(() => log.push('after'))
  const told = subscriptions.whenTold()
  expect(subscriptions.whenTold()).toBe(told)
  void told.then(() => log.push('told'))
  write()
  expect(log).toEqual(['at once'])
  await told
  expect(log).toEqual(['at once', 'a', 'within', 'after', 'told'])
  write()
  expect(subscriptions.whenTold()).not.toBe(told)
  await subscriptions.whenTold()
  expect(log.slice(5)).toEqual(['a', 'within'])
})

test('ST-19 ST-20 callers who wait wait for a loop to end, too', () => {
  const subscriptions = new Subscriptions(clock)
  let left = 150
  const a = reader(() => {
    if (--left > 0) {
      subscriptions.add(a)
      subscriptions.flush(true)
    }
  })
  subscriptions.add(a)
  subscriptions.flush(true)
  const log: number[] = []
  subscriptions.after(() => log.push(left))
  // A write during that time waits with the others.
  subscriptions.add(reader())
  subscriptions.flush(false)
  expect([log, timers.length]).toEqual([[], 1])
  timers[0]!()
  expect([log, left, timers.length]).toEqual([[0], 0, 1])
})
