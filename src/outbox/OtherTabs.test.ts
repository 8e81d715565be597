// Which tab sends: with Web Locks as a browser has them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClock } from '../testing/TestClock.ts'
import { OtherTabs } from './OtherTabs.ts'
import { CLAIM } from './Queue.ts'

interface Held {
  readonly name: string
  lose(error: Error): void
}

/** One lock for each name, given in the order of the requests. */
class TestLocks {
  private held: Held[] = []
  private waiting: { readonly name: string; take(): void }[] = []

  query(): Promise<{ held: readonly { readonly name: string }[] }> {
    return Promise.resolve({ held: [...this.held] })
  }

  request(name: string, { steal }: { steal?: boolean }, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        const own: Held = { name, lose: reject }
        this.held.push(own)
        const free = (): void => {
          this.held = this.held.filter((one) => one !== own)
          const next = this.waiting.findIndex((one) => one.name === name)
          this.waiting.splice(next, next < 0 ? 0 : 1)[0]?.take()
        }
        void run().finally(free).then(resolve, reject)
      }
      const other = this.held.find((one) => one.name === name)
      if (other && steal) {
        this.held = this.held.filter((one) => one !== other)
        other.lose(new Error('Stolen'))
      }
      if (other && !steal) {
        this.waiting.push({ name, take })
      } else {
        take()
      }
    })
  }
}

const open: OtherTabs[] = []
let clock: TestClock

function openTab(name: string, version = 1): OtherTabs {
  const tab = new OtherTabs('shop ann', name, version, clock, () => {})
  open.push(tab)
  return tab
}

beforeEach(() => {
  clock = new TestClock()
  vi.stubGlobal('navigator', { locks: new TestLocks() })
})
afterEach(() => {
  open.splice(0).forEach((tab) => tab.close())
  vi.unstubAllGlobals()
})

test('OUT-8 a tab knows which others run, and their versions; one that has closed is gone', async () => {
  const [a, b] = [openTab('a', 3), openTab('b', 4)]
  expect(await a.living()).toEqual(new Map(Object.entries({ a: 3, b: 4 })))
  b.close()
  await clock.pass()
  expect(await a.living()).toEqual(new Map([['a', 3]]))
})

test('OUT-8 a tab learns when another one ends, once', async () => {
  const [a, b] = [openTab('a'), openTab('b')]
  const ended = vi.fn()
  a.onEnd('b', ended)
  a.onEnd('b', ended)
  await clock.pass()
  expect(ended).not.toHaveBeenCalled()
  b.close()
  await clock.pass()
  expect(ended).toHaveBeenCalledTimes(1)
  // One that is gone already.
  a.onEnd('c', ended)
  await clock.pass()
  expect(ended).toHaveBeenCalledTimes(2)
})

test('OUT-8 one tab sends at a time', async () => {
  const [a, b] = [openTab('a'), openTab('b')]
  const steps: string[] = []
  let end!: () => void
  const busy = () => Promise.resolve(false)
  const first = a.alone(() => new Promise<void>((resolve) => (end = resolve)), busy)
  const second = b.alone(() => Promise.resolve(void steps.push('b')), busy)
  await clock.pass(CLAIM)
  expect(steps).toEqual([])
  end()
  await first
  await second
  expect(steps).toEqual(['b'])
})

test('OUT-8 the holder of the lock is suspended: another tab takes it after silence', async () => {
  const [a, b] = [openTab('a'), openTab('b')]
  const steps: string[] = []
  let isSilent = false
  void a.alone(
    () => new Promise<void>(() => {}),
    () => Promise.resolve(false),
  )
  const second = b.alone(
    () => Promise.resolve(void steps.push('b')),
    () => Promise.resolve(isSilent),
  )
  await clock.pass(CLAIM)
  expect(steps).toEqual([])
  isSilent = true
  await clock.pass(CLAIM)
  await second
  expect(steps).toEqual(['b'])
})

test('OUT-8 a tab that is hidden gives the lock back, and goes on with what it has sent', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  const a = openTab('a')
  vi.stubGlobal('document', undefined)
  const b = openTab('b')
  const steps: string[] = []
  let end!: () => void
  const first = a.alone(
    () => new Promise<void>((resolve) => (end = resolve)),
    () => Promise.resolve(false),
  )
  const second = b.alone(
    () => Promise.resolve(void steps.push('b')),
    () => Promise.resolve(false),
  )
  await clock.pass()
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  await second
  expect(steps).toEqual(['b'])
  end()
  await first
})

test('OUT-17 an attempt that ends after its user has signed out tells nobody', () => {
  const tab = openTab('a')
  tab.close()
  expect(() => tab.tell({})).not.toThrow()
})
