import type { Meta } from '../rows/Meta.ts'

const foreign = /* @__PURE__ */ new WeakSet<Meta>()

/** Marks values with this meta as those of another tab, which writes them to the disk itself. */
export function markForeign(meta: Meta): Meta {
  foreign.add(meta)
  return meta
}

export function isForeign(meta: Meta | undefined): boolean {
  return meta !== undefined && foreign.has(meta)
}
