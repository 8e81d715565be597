// Runs the clock of docs/guide/node.md as it stands there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundle } from './bundle.ts'

test('POL-1 ST-21 the clock of the guide: timers run at their time, in order, unless they are cleared', async () => {
  const [, code = ''] =
    /## Control the clock in tests[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync('docs/guide/node.md', 'utf8')) ?? []
  const guide = await bundle(`${code}\nexport { Endpoint } from 'restitch'`, 'development')
  const { store, pass, Endpoint } = await import(`data:text/javascript;base64,${Buffer.from(guide).toString('base64')}`)
  const { clock, subscribe, unsubscribe } = store.controller
  const seen: unknown[] = []
  const note = (name: string) => () => seen.push([name, clock.now()])
  clock.setTimeout(note('late'), 30)
  clock.setTimeout(note('first'), 10)
  clock.setTimeout(note('second'), 10)
  clock.clearTimeout(clock.setTimeout(note('never'), 20))
  clock.setTimeout(() => clock.setTimeout(note('nested'), 5), 20)
  await pass(29)
  expect(seen).toEqual([
    ['first', 10],
    ['second', 10],
    ['nested', 25],
  ])
  await pass(1)
  expect(seen.slice(3)).toEqual([['late', 30]])
  expect(clock.now()).toBe(30)

  // A day of polling.
  let calls = 0
  const poll = new Endpoint(() => Promise.resolve(++calls), { name: 'poll', pollFrequency: 60_000 })
  const minutes = 24 * 60
  await subscribe(poll)
  await pass(minutes * 60_000)
  expect(Math.abs(calls - minutes)).toBeLessThanOrEqual(1)
  const last = calls
  await unsubscribe(poll)
  await pass(3_600_000)
  expect(calls).toBe(last)
  store.stop()
})
