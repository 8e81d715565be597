import type { Meta } from '../rows/Meta.ts'

const foreign = /* @__PURE__ */ new WeakSet<Meta>()

/** What comes with this meta is from another tab, which writes it to the disk itself. */
export function markForeign(meta: Meta): Meta {
  foreign.add(meta)
  return meta
}

export function isForeign(meta: Meta | undefined): boolean {
  return meta !== undefined && foreign.has(meta)
}
