// One run: a browser that is killed one to three times while its tabs write, and what the server has at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from './api.mjs'
import { call, end, start } from './browser.mjs'
import { faultsOf } from './faultsOf.mjs'

const USERS = ['ann', 'bob']
/** Milliseconds for which a change has been on the screen when it is owed. */
const OWED = 300
/** Milliseconds after which what waits at the end counts as stuck. */
const PATIENCE = 60_000
const PLAIN_PATIENCE = 20_000
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A number that follows from a seed. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Run {
  /** The changes that were on the screen. */
  written = []
  /** The marks of the changes that the user has taken back, and of those that were perhaps sent before. */
  discarded = new Set()
  perhaps = new Set()
  counts = { kills: 0, 'tabs closed': 0, 'tabs crashed': 0, 'sign-ins': 0, resolved: 0, 'saved later than 300 ms': 0 }
  faults = []
  events = []

  /** @param plain for a comparison: one user, so many tabs, a server that loses and fails, and a browser that may be offline */
  constructor(seed, script, spoil, plain) {
    this.roll = generator(seed)
    this.script = script
    this.spoil = spoil
    this.plain = plain
    this.profile = mkdtempSync(join(tmpdir(), 'kills-'))
  }

  async play() {
    const { roll } = this
    this.api = await createApi(roll, this.script, this.plain !== undefined)
    try {
      const lives = 1 + Math.floor(roll() * 3)
      for (this.life = 0; this.life < lives; this.life++) {
        await this.live()
      }
      this.api.isCalm = true
      await this.finish()
      this.faults.push(...faultsOf(this))
      const actions = {}
      this.written.forEach(({ kind }) => (actions[kind] = (actions[kind] ?? 0) + 1))
      const owed = this.written.filter(({ isFree }) => !isFree).length
      const story = [...this.written, ...this.api.arrivals, ...this.events].toSorted((a, b) => a.at - b.at)
      const text = story.map((one) => JSON.stringify(one)).join('\n')
      return { story: text, faults: this.faults, owed, actions, counts: this.counts, served: this.api.counts }
    } finally {
      await this.end()
    }
  }

  async end() {
    await this.kill?.()
    this.api.close()
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 })
  }

  async start(tabs) {
    const { pages, kill } = await start(this.profile, `${this.api.url}#${this.spoil}`, tabs)
    this.kill = () => {
      this.kill = undefined
      return kill()
    }
    this.tabs = pages.map((page, tab) => ({ page, tab }))
    this.user = await call(pages[0], 'user')
    await Promise.all(pages.map((page) => call(page, 'ready')))
  }

  /** One life of the browser: its tabs write until it is killed. */
  async live() {
    const { roll } = this
    await this.start(this.plain?.tabs ?? (roll() < 0.5 ? 2 : 1))
    const until = Date.now() + 400 + roll() * 2_000
    // A queue may be written for browsers that say so.
    let offlineAt = this.plain && roll() < 0.5 ? Date.now() + roll() * 1_500 : Infinity
    while (Date.now() < until) {
      if (Date.now() > offlineAt) {
        offlineAt = Infinity
        await this.tabs[0].page.context().setOffline(true)
      }
      await this.act()
      await wait(roll() * 60)
    }
    await this.release(this.tabs)
    this.note('killed')
    await this.kill()
    this.counts.kills++
  }

  note(event) {
    this.events.push({ at: Date.now(), event })
  }

  async act() {
    const { roll, tabs } = this
    const what = roll()
    if (this.plain) {
      await this.write(this.pick(tabs))
    } else if (what < 0.03 && tabs.length > 1) {
      const [gone] = tabs.splice(Math.floor(roll() * tabs.length), 1)
      const isCrash = roll() < 0.5
      await this.release([gone])
      this.note(`tab ${gone.tab} ends${isCrash ? ' in a crash' : ''}`)
      await end(gone.page, isCrash)
      this.counts[isCrash ? 'tabs crashed' : 'tabs closed']++
    } else if (what < 0.06) {
      await this.switchTo(USERS.find((user) => user !== this.user))
    } else if (what < 0.12) {
      await this.resolveOne(this.pick(tabs))
    } else {
      await this.write(this.pick(tabs))
    }
  }

  pick(list) {
    return list[Math.floor(this.roll() * list.length)]
  }

  async write({ page, tab }) {
    const { roll, written, user } = this
    const screen = await call(page, 'screen')
    const mark = `${user[0]}m${written.length + 1}`
    const what = roll()
    const kind = what < 0.2 || screen.length === 0 ? 'create' : what < 0.3 && !this.plain ? 'remove' : 'edit'
    const name = kind === 'create' ? mark : this.pick(screen).name
    const changed = await call(page, kind, ...(kind === 'create' ? [mark] : [name, mark]))
    const { id, isTwin } = Object(changed) === changed ? changed : { id: changed }
    written.push({ kind, name, mark, tab, user, life: this.life, at: Date.now(), id, isTwin, isFree: id === undefined })
  }

  /** Tabs end: what was on their screens for a shorter time is not owed. On a busy machine a change may be saved later: that is counted. */
  async release(tabs) {
    const at = Date.now()
    const late = new Set()
    for (const { page, tab } of tabs) {
      // Other libraries do not say what is not saved yet.
      const unsaved = new Set(this.plain ? [] : await call(page, 'unsaved').catch(() => []))
      for (const one of this.written.filter(
        (other) => other.tab === tab && other.life === this.life && !other.isFree,
      )) {
        one.isFree = one.at > at - OWED
        if (!one.isFree && unsaved.has(one.mark)) {
          one.isFree = true
          late.add(one.mark)
        }
      }
    }
    this.counts['saved later than 300 ms'] += late.size
  }

  async switchTo(user) {
    const pages = this.tabs.map(({ page }) => page)
    await this.release(this.tabs)
    this.note(`${this.user} signs out`)
    await call(pages[0], 'signOut')
    // It takes a while until another user has signed in.
    await wait(200 + this.roll() * 200)
    this.user = user
    this.counts['sign-ins']++
    this.note(`${user} signs in`)
    await call(pages[0], 'signIn', user)
    await Promise.all(pages.map((page) => call(page, 'ready')))
  }

  /** The user looks at a change that was refused, or has crossed another one. */
  async resolveOne({ page }) {
    const entries = await call(page, 'entries')
    const entry = entries.find(({ state }) => state !== 'pending')
    if (entry) {
      await this.resolve(page, entry, this.roll() < 0.6)
    }
  }

  async resolve(page, { id, mark, state, message }, isRetry) {
    this.counts.resolved++
    this.note(`${mark} (${state}, ${message}) is ${isRetry ? 'sent again' : 'discarded'}`)
    if (isRetry) {
      await call(page, 'retry', id)
      return
    }
    const { gone, perhaps } = await call(page, 'discard', id)
    gone.forEach((mark) => this.discarded.add(mark))
    perhaps.forEach((mark) => this.perhaps.add(mark))
  }

  /** Everything works from now on, and each user comes back once more. */
  async finish() {
    this.screens = {}
    await this.start(this.plain?.tabs ?? (this.roll() < 0.3 ? 2 : 1))
    for (const user of [this.user, ...USERS.filter((one) => one !== this.user && !this.plain)]) {
      if (user !== this.user) {
        await this.switchTo(user)
      }
      await this.drain(this.tabs[0].page)
      this.screens[user] = await Promise.all(
        this.tabs.map(async ({ page }) => {
          await call(page, 'ready')
          return call(page, 'screen')
        }),
      )
    }
    this.disk = this.plain ? {} : await this.tabs[0].page.evaluate(readDatabases)
    await this.kill()
  }

  async drain(page) {
    const retried = new Set()
    const patience = Date.now() + (this.plain ? PLAIN_PATIENCE : PATIENCE)
    for (;;) {
      const entries = await call(page, 'entries')
      if (entries.length === 0) {
        return
      }
      if (Date.now() > patience) {
        this.faults.push(`left over for ${this.user}: ${JSON.stringify(entries)}`)
        return
      }
      const entry = entries.find(({ state }) => state !== 'pending')
      if (entry) {
        await this.resolve(page, entry, !retried.has(entry.mark) && this.roll() < 0.7)
        retried.add(entry.mark)
      } else {
        await call(page, 'hurry')
        await wait(100)
      }
    }
  }
}

/** Runs in the page: everything that its databases have, as text, by their names. */
async function readDatabases() {
  const all = {}
  for (const { name } of await indexedDB.databases()) {
    const opening = indexedDB.open(name)
    await new Promise((done) => opening.addEventListener('success', done))
    const rows = opening.result.transaction('rows').objectStore('rows')
    const values = rows.getAll()
    const keys = rows.getAllKeys()
    await new Promise((done) => keys.addEventListener('success', done))
    all[name] = JSON.stringify([keys.result, values.result])
    opening.result.close()
  }
  return all
}

class UserRun extends Run {
  /** Ann changes something without a network and signs out; Bob signs in, with a network. Then Ann comes back. */
  async follow() {
    this.api = await createApi(this.roll, this.script, true)
    this.api.isCalm = true
    try {
      await this.start(1)
      const [{ page }] = this.tabs
      await page.context().setOffline(true)
      await this.write(this.tabs[0])
      await wait(3_000)
      await call(page, 'signOut')
      // Nothing is sent as nobody in between.
      await page.evaluate(() => localStorage.setItem('user', 'bob'))
      await page.context().setOffline(false)
      await call(page, 'signIn', 'bob')
      await wait(PLAIN_PATIENCE / 4)
      await call(page, 'signOut')
      await call(page, 'signIn', 'ann')
      await wait(PLAIN_PATIENCE / 4)
      const isMade = this.api.tasks('ann').some(({ log }) => log.includes(this.written[0].mark))
      return this.api.strangers.length > 0 ? 'stranger' : isMade ? 'kept' : 'lost'
    } finally {
      await this.end()
    }
  }
}

/** Plays two users, one after the other. Resolves to what has become of a change of the first one: `stranger`: it was sent as the second one. */
export function playUsers(script) {
  return new UserRun(1, script, '', { tabs: 1 }).follow()
}

/** Plays a run. Returns what is wrong, and what has happened. */
export function play(seed, script, spoil, plain) {
  return new Run(seed, script, spoil, plain).play()
}
