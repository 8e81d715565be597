// The app that a test puts behind another tab. A page that is driven from outside always counts as seen, so no test
// drives this one: it controls the test by requests, and reports its observations in the last of them.
import { createElement as h, type ReactNode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createStore, Endpoint } from 'restitch'
import { DataProvider, useLive } from 'restitch/react'
import { TestClock } from '../../src/testing/TestClock.ts'

/** The observations of the page at the end of a step. */
export interface Seen {
  readonly step: string
  readonly visibility: DocumentVisibilityState
  /** How often it has polled since the step before. */
  readonly polls: number
  readonly text: string | null
}

/** Polls every second, behind another tab and before it; its time is moved by hand. */
export async function run(): Promise<void> {
  const clock = new TestClock()
  const store = createStore({ clock })
  let asked = 0
  const getCount = new Endpoint(async (): Promise<number> => ++asked, { name: 'getCount', pollFrequency: 1_000 })
  let mount!: () => void
  const mounted = new Promise<void>((done) => void (mount = done))
  const Count = (): ReactNode => {
    const count = useLive(getCount)
    // It subscribes in an effect as well, which comes first.
    useEffect(mount, [])
    return count
  }
  const host = document.getElementById('root')!
  createRoot(host).render(h(DataProvider, { store }, h(Suspense, { fallback: 'loading' }, h(Count))))

  const all: Seen[] = []
  let before = 0
  const note = async (step: string): Promise<void> => {
    await shows(host, `${asked}`)
    all.push({ step, visibility: document.visibilityState, polls: asked - before, text: host.textContent })
    before = asked
  }
  await mounted
  await note('begins')
  await clock.pass(2_000)
  await note('is seen for 2 s')
  await clock.pass(500)
  await moves('/behind')
  await note('goes behind')
  await clock.pass(10_000)
  await note('is behind for 10 s')
  await moves('/front')
  await clock.pass()
  await note('comes back')
  await clock.pass(999)
  await note('is seen for 999 ms')
  await clock.pass(1)
  await note('is seen for 1 s')
  await clock.pass(3_000)
  await note('is seen for 4 s')
  await moves('/behind')
  await clock.pass(300)
  await moves('/front')
  await clock.pass()
  await note('was behind for 300 ms')
  await clock.pass(700)
  await note('is seen for the rest of the second')
  await fetch('/saw', { method: 'POST', body: JSON.stringify(all) })
}

/** Has the tab put behind or before another, and waits until the page is notified. */
async function moves(where: string): Promise<void> {
  const told = new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }))
  await fetch(where)
  await told
}

/** Waits for a text. React works on while a page is hidden, so this ends either way. */
function shows(host: HTMLElement, text: string): Promise<void> {
  return new Promise((done) => {
    const look = (): void => {
      if (host.textContent !== text) {
        return
      }
      watcher.disconnect()
      done()
    }
    const watcher = new MutationObserver(look)
    watcher.observe(host, { subtree: true, childList: true, characterData: true })
    look()
  })
}
