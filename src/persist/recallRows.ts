import type { Controller } from '../controller/Controller.ts'
import { rowsOf } from '../reading/query.ts'
import type { SharedView } from '../views/SharedView.ts'
import type { Restorer } from './Restorer.ts'
import { nameOf } from './rowText.ts'
import type { Saver } from './Saver.ts'

/** How deep relations are followed. */
const DEPTH = 20

/** Restores the rows of a view that the garbage collector has removed; nothing, where the disk has none of them. */
export function recallRows(
  { core }: Controller,
  { saved, prefix }: Saver,
  restorer: Restorer,
  { target, args }: SharedView,
): Promise<void> | undefined {
  // A row that is not there yet is part of what was read, too.
  const missing = (): string[] => {
    const node = core.reads.node(target, args)
    core.reads.read(target, args, node)
    return rowsOf(node).flatMap((row) => {
      const name = row.meta === undefined ? nameOf(prefix, row) : ''
      return saved.has(name) ? [name] : []
    })
  }
  const restore = async (first: readonly string[]): Promise<void> => {
    let before = ''
    let names = first
    for (let depth = 0; names.length > 0 && names.join() !== before && depth < DEPTH; depth++) {
      await restorer.restoreSome(names)
      before = names.join()
      names = missing()
    }
  }
  const names = missing()
  return names.length > 0 ? restore(names) : undefined
}
