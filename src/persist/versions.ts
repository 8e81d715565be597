// Several versions of the app may be open in tabs, and each has rows of its own. Those of a version that no tab uses are deleted.

import { pause } from '../base/clock.ts'
import type { Clock } from '../base/clock.ts'
import type { Disk } from '../disk/Disk.ts'
import type { DiskWrite } from '../disk/DiskStorage.ts'
import { aboutName, lastName } from './About.ts'
import { prefixOf } from './rowText.ts'

/** Milliseconds after the start. */
const LATER = 5_000
/** Without Web Locks, milliseconds since a version was last started. */
const UNUSED = 86_400_000

/** Says that this version is in use, until the returned function is called. */
export function useVersion(disk: Disk, version: number): () => void {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  locks()
    ?.request(lockName(disk, version), { mode: 'shared' }, () => held)
    .catch(() => {})
  return () => release()
}

/** Deletes the rows of versions that no tab uses. */
export async function dropVersions(disk: Disk, version: number, clock: Clock, isCurrent: () => boolean): Promise<void> {
  await pause(clock, LATER)
  if (!isCurrent() || disk.status !== 'open') {
    return
  }
  const now = clock.now()
  let others: [number, number][] = []
  const find = (found: ReadonlyMap<string, unknown>): DiskWrite[] => {
    others = [...found].map(([key, at]): [number, number] => [Number(key.slice(8)), Number(at)])
    return [[`version/${version}`, now]]
  }
  await disk.transact(['version/'], find, 'relaxed', true)
  const held = new Set((await locks()?.query())?.held?.map(({ name }) => name))
  for (const [other, usedAt] of others) {
    const isUsed = locks() ? held.has(lockName(disk, other)) : now - usedAt < UNUSED
    if (other !== version && !isUsed && isCurrent()) {
      const prefix = prefixOf(other)
      const all = (found: ReadonlyMap<string, unknown>): DiskWrite[] =>
        [...found.keys(), aboutName(prefix), lastName(prefix), `version/${other}`].map((key) => [key, undefined])
      await disk.transact([prefix], all, 'relaxed', true)
    }
  }
}

function lockName(disk: Disk, version: number): string {
  return `${disk.name} version ${version}`
}

function locks(): LockManager | undefined {
  return (globalThis as { navigator?: { readonly locks?: LockManager } }).navigator?.locks
}
