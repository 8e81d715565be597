import { pause } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Disk } from '../disk/Disk.ts'
import type { DiskFound, DiskWrite } from '../disk/DiskStorage.ts'
import { type About, aboutName, lastName, readAbout } from './About.ts'
import { restoreRows } from './restoreRows.ts'
import { nameOf, readRow, type SavedRow, staleText } from './rowText.ts'
import type { Saver } from './Saver.ts'

/** So many rows are restored at a time. */
const PART = 1_000

/** A week in milliseconds. */
const MAX_AGE = 7 * 86_400_000

/** Reads rows of the disk into the store. */
export class Restorer {
  /** The store is being given rows of the disk, which need not be written. */
  isRestoring = false
  private readonly controller: Controller
  private readonly disk: Disk
  private readonly saver: Saver
  private readonly maxAge: number

  constructor(controller: Controller, disk: Disk, saver: Saver, maxAge: number = MAX_AGE) {
    this.controller = controller
    this.disk = disk
    this.saver = saver
    this.maxAge = maxAge
  }

  /** Restores all rows, some at a time. Those that are too old, or none of ours, are deleted. */
  async restoreAll(isCurrent: () => boolean): Promise<void> {
    const { prefix } = this.saver
    const parsed: Parsed = { good: [], bad: [], old: [] }
    try {
      await this.disk.readParts(prefix, (part) => isCurrent() && this.parse(part, parsed))
    } catch {
      // The next read reports it.
    }
    // Read last, it knows of all that was written to what was read.
    const found = await this.read([])
    if (!isCurrent() || !found) {
      return
    }
    const about = readAbout(found, prefix)
    const whole = wholeOf(parsed)
    for (let i = 0; i < whole.length && isCurrent(); i += PART) {
      if (i > 0) {
        await pause(this.controller.clock, 0)
      }
      this.put(whole.slice(i, i + PART), about)
    }
    this.end(parsed, whole)
  }

  /** Restores the rows of these keys. */
  async restoreSome(names: readonly string[]): Promise<void> {
    const { store } = this.controller.core
    const { resetAt } = store
    const found = await this.read(names)
    if (found && resetAt === store.resetAt) {
      this.restore(found)
    }
  }

  /** The results of these keys have expired, or are gone: of those that the store does not have the disk has to know. */
  async expire(testKey: (key: string) => boolean, isGone: boolean): Promise<void> {
    const { saver, controller, disk } = this
    const lead = nameOf(saver.prefix, { key: '', pk: '' })
    const { byPk } = controller.core.store.tables.endpoints
    const isOther = (key: string): boolean => testKey(key) && byPk.get(key)?.meta === undefined
    const names = [...saver.saved.keys()].filter((name) => name.startsWith(lead) && isOther(name.slice(lead.length)))
    if (names.length > 0) {
      const change = (found: DiskFound): DiskWrite[] =>
        [...found].map(([name, text]) => [name, isGone ? undefined : staleText(text)])
      await disk.transact(names, change, 'relaxed', true).catch(() => {})
      saver.forget(isGone ? names : [])
    }
  }

  /** Deletes all stored rows. */
  async wipe(): Promise<void> {
    const { saver, disk } = this
    const about = aboutName(saver.prefix)
    await disk.transact([saver.prefix], (found) =>
      [about, lastName(saver.prefix), ...found.keys()].map((key) => [key, undefined]),
    )
    saver.forget([...saver.saved.keys()])
  }

  private async read(names: readonly string[]): Promise<DiskFound | undefined> {
    let all: DiskFound | undefined
    try {
      await this.disk.transact(
        [aboutName(this.saver.prefix), lastName(this.saver.prefix), ...names],
        (found) => ((all = found), []),
        'relaxed',
        true,
      )
    } catch {
      // It was reported, and the network has the data.
    }
    return all
  }

  private restore(found: DiskFound): void {
    const parsed: Parsed = { good: [], bad: [], old: [] }
    this.parse(found, parsed)
    const whole = wholeOf(parsed)
    this.put(whole, readAbout(found, this.saver.prefix))
    this.end(parsed, whole)
  }

  private put(rows: readonly ReadRow[], about: About): void {
    const { saver, controller } = this
    const { core } = controller
    this.isRestoring = true
    try {
      core.change(() => {
        const saved = rows.map(([, row]) => row)
        const restored = restoreRows(core.store, saved, about)
        for (const [name, row, bytes] of rows) {
          const { date, order } = row
          saver.remember(name, restored.get(row), { bytes, date, order })
        }
      })
    } finally {
      this.isRestoring = false
    }
  }

  /** Deletes what is of no use. */
  private end({ good, bad, old }: Parsed, whole: readonly ReadRow[]): void {
    const kept = new Set(whole)
    const gone = [...bad, ...old, ...good.flatMap((one) => (kept.has(one) ? [] : [one[0]]))]
    if (bad.length > 0) {
      this.disk.report(damaged(bad[0]!, bad.length))
    }
    if (gone.length > 0) {
      this.disk.transact([], () => gone.map((name) => [name, undefined]), 'relaxed', true).catch(() => {})
    }
    this.saver.onChange()
  }

  private parse(found: DiskFound, { good, bad, old }: Parsed): void {
    const { prefix, now } = this.saver
    for (const [name, text] of found) {
      if (name.startsWith(prefix)) {
        try {
          const row = readRow(name, prefix, text)
          if (row.date < now - this.maxAge) {
            old.push(name)
          } else {
            good.push([name, row, String(text).length])
          }
        } catch {
          bad.push(name)
        }
      }
    }
  }
}

type ReadRow = readonly [name: string, row: SavedRow, bytes: number]

/** The rows of the disk, and the keys of those that are damaged or too old. */
interface Parsed {
  readonly good: ReadRow[]
  readonly bad: string[]
  readonly old: string[]
}

/** The rows to restore. If one is damaged, results are left out: they might lack it. */
function wholeOf({ good, bad }: Parsed): ReadRow[] {
  const whole = bad.length > 0 ? good.filter(([, { key }]) => key !== '') : [...good]
  return whole.sort(([, a], [, b]) => a.place - b.place || a.order - b.order)
}

function damaged(name: string, count: number): Error {
  const [key, pk] = name.slice(name.indexOf('/', 4) + 1).split('\n')
  const subject = `${key} ${pk}`.trim()
  return fail(
    'persist-damaged',
    subject,
    DEV &&
      `${count} stored rows, such as "${subject}", are not as they were written, and were deleted. Their data is fetched again. If the fields of your records have changed their meaning, raise the "version" of persist().`,
  )
}
