import { recall } from '../base/recall.ts'
import type { Disk } from './Disk.ts'

/** Identifies a store: by the core of its controller. */
interface Owner {
  readonly core: object
}

const disks = /* @__PURE__ */ new WeakMap<object, Disk>()

/** The disk of a store, which its managers share. The first of them makes it. */
export function diskOf({ core }: Owner, make: () => Disk): Disk {
  return recall(disks, core, make)
}

/** The disk of a store, if it has one. */
export function findDisk({ core }: Owner): Disk | undefined {
  return disks.get(core)
}
