// Runs in the page of one subject. The runner calls `globalThis.bench`.
import { createElement as h, memo } from 'react'
import { createRoot } from 'react-dom/client'
import { create } from 'subject'
import { todo } from '../rows.mjs'

const host = document.createElement('div')
// Only what scripts do is measured: nothing of it is laid out.
host.style.display = 'none'
document.body.append(host)

let row
let subject
let root
let renders = 0
let changes = 0

const text = ({ title, author }) => `${title} ${author.name} `

function Cell({ id }) {
  renders++
  return h('p', null, text(subject.useCell(id)))
}
const Item = memo(({ value }) => {
  renders++
  return h('p', null, text(value))
})
function List() {
  renders++
  return h(
    'div',
    null,
    subject.useList().map((value) => h(Item, { value, key: value.id })),
  )
}
const Cells = () =>
  h(
    'div',
    null,
    Array.from({ length: row.size }, (_, id) => h(Cell, { id: row.shared ? 0 : id, key: id })),
  )

const channel = new MessageChannel()
const queue = []
channel.port1.addEventListener('message', () => queue.shift()())
channel.port1.start()
/** One task later: effects have run. */
const task = () => new Promise((done) => channel.port2.postMessage(queue.push(done)))

/** Resolves as soon as the page shows something. */
async function until(isShown, what) {
  if (isShown()) {
    return
  }
  await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`${row.name}: ${what} is not shown after 60 s`)), 60_000)
    const observer = new MutationObserver(() => {
      if (!isShown()) {
        return
      }
      clearTimeout(timer)
      observer.disconnect()
      done()
    })
    observer.observe(host, { childList: true, characterData: true, subtree: true })
  })
}

const cell = (id) => host.firstChild.childNodes[id]
/** Different places, all over the page. */
const spread = (i) => (i * 7919) % row.size

function open() {
  subject = create()
  subject.fill(
    Array.from({ length: row.size }, (_, i) => (row.work === 'author' ? todo(i, 0) : todo(i))),
    row.list === true,
  )
}

async function mount() {
  root = createRoot(host)
  root.render(h(subject.Provider, null, h(row.list ? List : Cells)))
  await until(() => host.firstChild?.childNodes.length === row.size, 'the page')
  await task()
}

async function unmount() {
  root.unmount()
  root = undefined
  await task()
  await new Promise((done) => setTimeout(done, 20))
}

async function write(id) {
  const title = `changed ${++changes}`
  subject.set({ id, title })
  await until(() => cell(id).textContent.startsWith(`${title} `), title)
}

const WORK = {
  mount: { before: open, run: mount },
  write: {
    async run() {
      await write(spread(changes))
      await task()
    },
  },
  shared: {
    async run() {
      const title = `shared ${++changes}`
      subject.set({ id: 0, title })
      await until(() => cell(row.size - 1).textContent.startsWith(`${title} `), title)
      await task()
    },
  },
  leave: { before: mount, run: unmount },
  author: {
    async run() {
      const name = `renamed ${++changes}`
      subject.setAuthor({ id: 0, name })
      await until(() => cell(row.size - 1).textContent.includes(name), name)
      await task()
    },
  },
  storm: {
    async run() {
      for (let i = 0; i < row.writes; i++) {
        await write(spread(changes))
      }
      await task()
    },
  },
  burst: {
    async run() {
      const title = `burst ${++changes}`
      for (let id = 0; id < row.size; id++) {
        subject.set({ id, title })
      }
      await until(() => cell(row.size - 1).textContent.startsWith(title), title)
      await task()
    },
  },
  mounted: {},
  heap: {},
}

globalThis.bench = {
  /** Makes the store; all but a mount begin on a page that is shown. */
  async open(given) {
    row = given
    changes = 0
    if (row.work !== 'mount') {
      open()
    }
    if (WORK[row.work].run && !WORK[row.work].before) {
      await mount()
    }
  },
  /** The part of a round that is not measured. */
  async before() {
    if (root && row.work === 'mount') {
      await unmount()
      subject.stop?.()
    }
    await WORK[row.work].before?.()
    await task()
    renders = 0
  },
  async run() {
    for (let i = 0; i < row.runs; i++) {
      await WORK[row.work].run()
    }
  },
  renders: () => renders / row.runs,
  show: () => host.textContent,
  mount,
  async cycle(times) {
    for (let i = 0; i < times; i++) {
      await mount()
      await unmount()
    }
  },
  async close() {
    if (root) {
      await unmount()
    }
    subject.stop?.()
    subject = undefined
  },
}
