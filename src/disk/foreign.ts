import type { Meta } from '../rows/Meta.ts'

const foreign = /* @__PURE__ */ new WeakSet<Meta>()

/** A response that another tab has received is being stored. */
let isTaking = false

/** Marks values with this meta as those of another tab, which writes them to the disk itself. */
export function markForeign(meta: Meta): Meta {
  foreign.add(meta)
  return meta
}

/** All that this stores is of another tab, which also tells the others. */
export function takeForeign(run: () => void): void {
  isTaking = true
  try {
    run()
  } finally {
    isTaking = false
  }
}

export function isForeign(meta: Meta | undefined): boolean {
  return isTaking || (meta !== undefined && foreign.has(meta))
}
