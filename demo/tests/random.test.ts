import type { Locator } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRandom } from '../server/random.ts'
import { startDemo, type Demo, type Visit } from './demo.ts'

// However hard a user uses the app on a bad line, the screen must show the data of the server in the end.
// A release plays more of them.
const ACTIONS = process.env.RESTITCH_EFFORT === 'full' ? 200 : 40
const SEED = Number(process.env.DEMO_SEED ?? 4)
const PROJECT = '6'
const BOARD = `/projects/${PROJECT}`
const WORD = 'juggled'
const LIST = `/issues?project=${PROJECT}&q=${WORD}&sort=rank&order=asc`
const COLUMNS = { backlog: 'Backlog', todo: 'To do', doing: 'In progress', review: 'In review', done: 'Done' }
const STATUSES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

interface Issue {
  id: string
  key: string
  title: string
  status: keyof typeof COLUMNS
  priority: number
}
interface List {
  items: Issue[]
  total: number
}

let demo: Demo
let visit: Visit
let ids: string[] = []
const random = createRandom(SEED)
beforeAll(async () => {
  demo = await startDemo()
  for (let at = 0; at < 20; at++) {
    const fields = { project: PROJECT, title: `Ball ${at}`, body: WORD, status: pick(STATUSES), rank: at - 100 }
    ids.push((await demo.api<Issue>('POST', '/issues', fields)).id)
  }
  visit = await demo.open(BOARD, { isBroken: true })
  await visit.settle()
})
afterAll(() => demo.close())

test(`${ACTIONS} random actions with errors end with what the server has (DEMO_SEED=${SEED})`, async () => {
  const { page } = visit
  page.setDefaultTimeout(10_000)
  await demo.break({ jitter: 80, errorRate: 0.2, seed: SEED })
  const done: string[] = []
  while (done.length < ACTIONS) {
    const act = random() < 0.15 ? travel : pick(actionsAt(new URL(page.url()).pathname))
    const what = await act()
    if (what) {
      done.push(what)
    }
    // The user retries what failed to load.
    else if (!(await press(page.getByRole('button', { name: 'Try again' }).first()))) {
      done.push(await travel())
    }
  }
  await demo.break()
  page.setDefaultTimeout(60_000)

  await travelTo(BOARD)
  await agree(readBoard, askBoard)
  await travelTo(LIST)
  await agree(readList, askList)
  await travelTo('/people')
  await agree(readPeople, askPeople)
  for (const { id } of (await demo.api<List>('GET', `/issues?q=${WORD}&limit=100`)).items.slice(0, 6)) {
    await travelTo(`/issues/${id}`)
    await agree(readIssue, () => askIssue(id))
  }
  expect(visit.complaints).toEqual([])
})

type Action = () => Promise<string | undefined>

function actionsAt(path: string): Action[] {
  if (path === '/people') {
    return [renamePerson]
  }
  if (path === '/issues') {
    return [moveRow, moveRow, createIssue]
  }
  if (path.startsWith('/issues/')) {
    return [renameIssue, renameIssue, changePriority, comment, comment, deleteComment]
  }
  return [moveCard]
}

async function travel(): Promise<string> {
  const path = pick([BOARD, LIST, '/people', `/issues/${pick(ids)}`, `/issues/${pick(ids)}`])
  await visit.page.evaluate((path) => history.pushState(null, '', path), path)
  return `go to ${path}`
}

const OPTIONS = '[role="menuitem"]:not([data-disabled])'

function moveCard(): Promise<string | undefined> {
  return play({ selector: 'article button[aria-label^="Move "]' }, { selector: OPTIONS })
}

function moveRow(): Promise<string | undefined> {
  return play({ selector: 'button[aria-label^="Status of"]' }, { selector: OPTIONS })
}

async function createIssue(): Promise<string | undefined> {
  const { page } = visit
  if (ids.length > 26 || !(await press(page.getByRole('button', { name: 'New issue' })))) {
    return undefined
  }
  const dialog = page.getByRole('dialog')
  const title = dialog.getByLabel('Title')
  if (
    !(await title.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    ))
  ) {
    return undefined
  }
  await title.fill(`New ball ${Math.floor(random() * 1000)}`)
  await dialog.getByLabel('Description').fill(WORD)
  await press(dialog.getByRole('button', { name: 'Create' }))
  // It closes when the server has it; after a refusal the user cancels.
  const gone = await dialog.waitFor({ state: 'hidden', timeout: 2000 }).then(
    () => true,
    () => false,
  )
  if (!gone) {
    await press(dialog.getByRole('button', { name: 'Cancel' }))
  }
  return 'create an issue'
}

function renameIssue(): Promise<string | undefined> {
  return editText('Title', `Ball ${pick('abcdefghijklmnopqrstuvwxyz'.split(''))} ${Math.floor(random() * 1000)}`)
}

function renamePerson(): Promise<string | undefined> {
  return editText('Name', `Person ${Math.floor(random() * 1000)}`)
}

/** A field that is open, since what it held was refused, is the one that is written to. */
async function editText(label: string, text: string): Promise<string | undefined> {
  const field = { selector: `main input[aria-label="${label}"]`, text }
  return (await play(field)) ?? play({ selector: `button[aria-label^="${label}:"]` }, field)
}

async function changePriority(): Promise<string | undefined> {
  const { page } = visit
  const picker = page.getByRole('combobox', { name: 'Priority' }).or(page.getByRole('textbox', { name: 'Priority' }))
  if (!(await press(picker.first()))) {
    return undefined
  }
  const options = page.getByRole('option')
  await options
    .first()
    .waitFor({ timeout: 2000 })
    .catch(() => {})
  return press(options.nth(Math.floor(random() * (await options.count()))))
}

async function comment(): Promise<string | undefined> {
  const { page } = visit
  const field = page.getByLabel('New comment')
  if (!(await field.count())) {
    return undefined
  }
  await field.fill(`Remark ${Math.floor(random() * 10_000)}`)
  return press(page.getByRole('button', { name: 'Comment', exact: true }))
}

function deleteComment(): Promise<string | undefined> {
  return press(visit.page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'Delete' }).first())
}

interface Step {
  selector: string
  /** Written to what was chosen, and sent; without it that is pressed. */
  text?: string
}

/**
 * Chooses at random among what is there and uses it, step by step; the second step waits for what the first brings. All
 * inside the page: to read names and roles from outside would take more time than everything else.
 */
function play(...steps: Step[]): Promise<string | undefined> {
  const moves = steps.map(({ selector, text }) => ({ selector, text, chance: random() }))
  return visit.page.evaluate(async (moves) => {
    let done: string | undefined
    for (const { selector, text, chance } of moves) {
      const find = () => Array.from(document.querySelectorAll<HTMLElement>(selector))
      const found = done === undefined ? find() : await waitFor(find)
      const element = found[Math.floor(chance * found.length)]
      if (!element) {
        return undefined
      }
      done = text ?? element.ariaLabel ?? element.innerText
      if (text === undefined) {
        element.click()
      } else {
        await write(element as HTMLInputElement, text)
      }
    }
    return done

    function waitFor(find: () => HTMLElement[]): Promise<HTMLElement[]> {
      return new Promise((resolve) => {
        const finish = () => {
          observer.disconnect()
          clearTimeout(timer)
          resolve(find())
        }
        const look = () => find().length > 0 && finish()
        const observer = new MutationObserver(look)
        observer.observe(document.body, { subtree: true, childList: true })
        const timer = setTimeout(finish, 2000)
        look()
      })
    }

    async function write(field: HTMLInputElement, text: string): Promise<void> {
      // React overrides the setter of the element, and would not see the change.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve))
      field.form?.requestSubmit()
    }
  }, moves)
}

/** Presses what is there, if it is; a message in front of it is no obstacle. */
async function press(target: Locator): Promise<string | undefined> {
  if (!(await target.count())) {
    return undefined
  }
  return target
    .evaluate(
      (element: HTMLElement) => {
        element.click()
        return element.ariaLabel ?? element.innerText
      },
      undefined,
      { timeout: 10_000 },
    )
    .catch(() => undefined)
}

async function travelTo(path: string): Promise<void> {
  await visit.page.evaluate((path) => history.pushState(null, '', path), path)
  for (let at = 0; at < 20; at++) {
    await visit.settle()
    if (!(await press(visit.page.getByRole('main').getByRole('button', { name: 'Try again' }).first()))) {
      return
    }
  }
}

/**
 * The stream may have been cut: it comes back within seconds, and then both must say the same. The server is read each time,
 * since a write that it delayed may still change it.
 */
async function agree(read: () => Promise<unknown>, ask: () => Promise<unknown>): Promise<void> {
  await vi.waitFor(async () => expect(await read()).toEqual(await ask()), { timeout: 60_000, interval: 250 })
}

async function readBoard(): Promise<unknown> {
  const { keys } = await findKeys()
  return Promise.all(
    STATUSES.map(async (status) => {
      const column = visit.page.getByRole('region', { name: COLUMNS[status], exact: true })
      const cards = await column
        .getByRole('article')
        .evaluateAll((cards) =>
          cards.map(
            (card) =>
              `${/[A-Z]+-\d+/.exec((card as HTMLElement).innerText)?.[0]} ${card.querySelector('a')?.innerText}`,
          ),
        )
      const total = Number((await column.locator('.mantine-Badge-label').first().innerText()).replace(/\D/g, ''))
      return { status, total, cards: cards.filter((card) => keys.has(card.split(' ')[0] ?? '')) }
    }),
  )
}

async function askBoard(): Promise<unknown> {
  const { items } = await findKeys()
  return Promise.all(
    STATUSES.map(async (status) => {
      const { total } = await demo.api<List>('GET', `/issues?project=${PROJECT}&status=${status}&limit=1`)
      const cards = items.filter((issue) => issue.status === status).map(({ key, title }) => `${key} ${title}`)
      return { status, total, cards }
    }),
  )
}

// Those that were made on the way have ranks at the end of the board, below the screen.
async function findKeys(): Promise<{ items: Issue[]; keys: Set<string> }> {
  const { items } = await demo.api<List>('GET', `/issues?q=${WORD}&sort=rank&order=asc&limit=100`)
  const first = items.filter(({ id }) => ids.includes(id))
  return { items: first, keys: new Set(first.map(({ key }) => key)) }
}

async function readList(): Promise<unknown> {
  const { page } = visit
  const rows = await page.getByRole('listitem').evaluateAll((rows) =>
    rows
      .map((row) => ({ top: row.getBoundingClientRect().top, row: row as HTMLElement }))
      .sort((a, b) => a.top - b.top)
      .map(({ row }) => `${/[A-Z]+-\d+/.exec(row.innerText)?.[0]} ${row.querySelector('a')?.innerText}`),
  )
  const counts = (await page.getByRole('tab').allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')))
  return { rows: rows.slice(0, 10), counts }
}

async function askList(): Promise<unknown> {
  const { items } = await demo.api<List>('GET', `/issues?q=${WORD}&project=${PROJECT}&sort=rank&order=asc&limit=100`)
  const rows = items.map(({ key, title }) => `${key} ${title}`).slice(0, 10)
  const count = (status: string) => items.filter((issue) => issue.status === status).length
  const byStatus = STATUSES.map(count)
  return { rows, counts: [items.length, items.length - count('done'), ...byStatus] }
}

function readPeople(): Promise<unknown> {
  const names = visit.page.getByRole('button', { name: /^Name:/ })
  return names.allInnerTexts().then((texts) => texts.map((text) => text.trim()).sort())
}

async function askPeople(): Promise<unknown> {
  const people = await demo.api<{ name: string }[]>('GET', '/people')
  return people.map(({ name }) => name).sort()
}

async function readIssue(): Promise<unknown> {
  const { page } = visit
  const values = await page
    .locator('input')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  return {
    title: await page.getByRole('heading', { level: 1 }).innerText(),
    priority: PRIORITIES.findIndex((name) => values.includes(name)),
    comments: await page
      .getByRole('region', { name: 'Comments' })
      .getByRole('article')
      .locator('.prose')
      .allInnerTexts(),
  }
}

async function askIssue(id: string): Promise<unknown> {
  const { title, priority } = await demo.api<Issue>('GET', `/issues/${id}`)
  const comments = await demo.api<{ body: string }[]>('GET', `/issues/${id}/comments`)
  return { title, priority, comments: comments.map(({ body }) => body) }
}

const PRIORITIES = ['No priority', 'Low', 'Medium', 'High', 'Urgent']

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}
