// DSK-1, DSK-2, DSK-3, DSK-4, DSK-5, DSK-8: a database for each user, a number for each session, and a storage that may fail at any time.
import { beforeEach, expect, test, vi } from 'vitest'
import { TestClock } from '../testing/TestClock.ts'
import { Disk } from './Disk.ts'
import type { DiskDatabase, DiskStorage } from './DiskStorage.ts'
import { memoryStorage } from './memoryStorage.ts'
import { SessionEnded } from './SessionEnded.ts'

let clock: TestClock
let storage: DiskStorage
let errors: any[]
const onError = (error: Error): void => void errors.push(error)
const open = async (user?: () => any, from = storage): Promise<Disk> => {
  const disk = new Disk({ name: 'shop', user, storage: from, onError }, clock)
  await disk.open()
  return disk
}
const read = async (disk: Disk, ...keys: string[]): Promise<[string, unknown][]> => {
  let all: [string, unknown][] = []
  await disk.transact(keys, (found) => {
    all = [...found]
    return []
  })
  return all
}

beforeEach(() => {
  clock = new TestClock()
  storage = memoryStorage()
  errors = []
})

test('DSK-2 keys and ranges are read in their order, and written together or not at all', async () => {
  const disk = await open()
  await disk.transact([], () => [
    ['entry/2', { a: 1 }],
    ['entry/1', new Date(0)],
    ['entryx', 1],
    ['alias/1', 'x'],
  ])
  expect(await read(disk, 'entry/')).toEqual([
    ['entry/1', new Date(0)],
    ['entry/2', { a: 1 }],
  ])
  expect(await read(disk, 'alias/1', 'none')).toEqual([['alias/1', 'x']])
  await disk.transact([], () => [['entry/1', undefined]])
  expect(await read(disk, 'entry/')).toEqual([['entry/2', { a: 1 }]])
})

test('DSK-8 while the app has another user, nothing is read or written, and the owner learns of it', async () => {
  const session: { user: string | undefined } = { user: 'ann' }
  const disk = await open(() => session.user)
  disk.onOther = vi.fn()
  await disk.transact([], () => [['row/1', 'of ann']])
  for (const user of ['bob', undefined]) {
    session.user = user
    const decide = vi.fn(() => [])
    await expect(disk.transact(['row/'], decide)).rejects.toThrow(SessionEnded)
    disk.writeLast([['row/2', 'of bob']])
    expect(decide).not.toHaveBeenCalled()
  }
  expect(disk.onOther).toHaveBeenCalledTimes(4)
  session.user = 'ann'
  expect(await read(disk, 'row/')).toEqual([['row/1', 'of ann']])
})

test('DSK-8 a user who has to be looked up is asked when the database is opened, and not for each transaction', async () => {
  const user = vi.fn(() => Promise.resolve('ann'))
  const disk = await open(user)
  await disk.transact([], () => [['row/1', 'of ann']])
  expect(await read(disk, 'row/')).toHaveLength(1)
  expect(user).toHaveBeenCalledTimes(1)
})

test('DSK-1 each user has a database, and nobody has none', async () => {
  let user: string | undefined = 'ann'
  const disk = await open(() => user)
  await disk.transact([], () => [['row/1', 'of ann']])
  user = 'bob'
  await disk.open()
  expect(await read(disk, 'row/')).toEqual([])
  user = undefined
  await disk.open()
  expect(disk.status).toBe('closed')
  const decide = vi.fn(() => [])
  await disk.transact(['row/'], decide)
  expect(decide).not.toHaveBeenCalled()
  user = 'ann'
  await disk.open()
  expect(await read(disk, 'row/')).toEqual([['row/1', 'of ann']])
})

test('DSK-1 the response for an earlier user does not open its database', async () => {
  const answers: ((user: string) => void)[] = []
  const disk = new Disk({ storage, user: () => new Promise((resolve) => answers.push(resolve)) }, clock)
  const [first, second] = [disk.open(), disk.open()]
  answers[1]!('bob')
  answers[0]!('ann')
  await Promise.all([first, second])
  expect(disk.user).toBe('bob')
})

test('DSK-3 a tab of a session that has ended writes nothing, and learns of it', async () => {
  const [thawed, other] = [await open(), await open()]
  const onEnded = (thawed.onEnded = vi.fn())
  await other.transact([], () => [
    ['row/1', 1],
    ['entry/1', 1],
  ])
  await other.end((key) => key.startsWith('row/'))
  await expect(thawed.transact([], () => [['row/2', 2]])).rejects.toThrow()
  expect(onEnded).toHaveBeenCalledTimes(1)
  expect(await read(other, 'row/', 'entry/')).toEqual([['entry/1', 1]])
  // It was no fault.
  expect(errors).toEqual([])
})

/** A storage that fails while `isBroken()`. */
function failing(isBroken: () => boolean): DiskStorage {
  return {
    async open(name) {
      const database = await storage.open(name)
      return {
        ...database,
        transact: (...args: Parameters<DiskDatabase['transact']>) =>
          isBroken() ? Promise.reject(new Error('QuotaExceededError')) : database.transact(...args),
      }
    },
  }
}

test('DSK-4 writes that could not be stored lie over what is read, and are stored with the next that succeed', async () => {
  let isBroken = false
  const disk = await open(
    undefined,
    failing(() => isBroken),
  )
  await disk.transact([], () => [['entry/1', 1]])
  isBroken = true
  await disk.transact(['entry/'], () => [
    ['entry/2', 2],
    ['entry/1', undefined],
  ])
  await disk.transact([], () => [['entry/3', 3]])
  expect(disk.status).toBe('memory')
  expect(await read(disk, 'entry/')).toEqual([
    ['entry/2', 2],
    ['entry/3', 3],
  ])
  // Reported once.
  expect(errors.map(({ code }) => code)).toEqual(['disk-failed'])
  isBroken = false
  await disk.transact([], () => [['entry/4', 4]])
  expect(disk.status).toBe('open')
  expect(await read(await open(), 'entry/')).toEqual([
    ['entry/2', 2],
    ['entry/3', 3],
    ['entry/4', 4],
  ])
})

test('DSK-4 what another tab has deleted is gone, also when the storage fails later', async () => {
  let isBroken = false
  const disk = await open(
    undefined,
    failing(() => isBroken),
  )
  const other = await open()
  await disk.transact([], () => [
    ['entry/1', 1],
    ['entry/2', 2],
    ['session/x', 3],
  ])
  await other.transact([], () => [
    ['entry/1', undefined],
    ['session/x', undefined],
  ])
  expect(await read(disk, 'entry/', 'session/x')).toEqual([['entry/2', 2]])
  isBroken = true
  expect(await read(disk, 'entry/', 'session/x')).toEqual([['entry/2', 2]])
})

test('a write that may be lost rejects', async () => {
  let isBroken = false
  const disk = await open(
    undefined,
    failing(() => isBroken),
  )
  isBroken = true
  await expect(disk.transact([], () => [['row/1', 1]], 'relaxed', true)).rejects.toThrow('Quota')
  expect(disk.status).toBe('open')
})

test.each([
  ['that cannot be opened', (): Promise<never> => Promise.reject(new Error('SecurityError'))],
  ['that never responds', (): Promise<never> => new Promise(() => {})],
])('DSK-4 a storage %s: everything is kept in memory', async (_, fail) => {
  const disk = new Disk({ storage: { open: fail }, onError }, clock)
  const opening = disk.open()
  await clock.pass(5_000)
  await opening
  await disk.transact([], () => [['entry/1', 1]])
  expect(await read(disk, 'entry/')).toEqual([['entry/1', 1]])
  expect(disk.status).toBe('memory')
  expect(errors.map(({ code }) => code)).toEqual(['disk-failed'])
})

test('DSK-5 without IndexedDB, as on a server, nothing is opened and nothing reported', async () => {
  const disk = new Disk({ onError }, clock)
  await disk.open()
  expect(disk.status).toBe('memory')
  expect([errors, clock.pending]).toEqual([[], 0])
})
