import { type ReadContext, sourceValue } from './context.ts'
import { clean, DIRTY, MUST_REBUILD, MAKING, NONE, Node, VISITING } from './memo.ts'

/**
 * Finds out which dirty nodes below `root` have really changed: afterwards each is clean, or known to be outdated. A value
 * that changed and changed back before it was read keeps its identity.
 */
export function verify(context: ReadContext, root: Node, run: number): void {
  const met = [root]
  const known: Node[] = []
  root.flags |= VISITING
  for (const node of met) {
    let isKnown = sourceValue(context, node) !== node.seen
    // The parts of a node that is known to be outdated are looked at when it is built again.
    for (const dep of isKnown ? NONE : (node.touched ?? node.deps)) {
      // It may have been built again for another reader and be dirty again since.
      if (dep.changedAt > node.builtAt || dep.flags & (MUST_REBUILD | MAKING)) {
        isKnown = true
      } else if ((dep.flags & (DIRTY | VISITING)) === DIRTY) {
        dep.flags |= VISITING
        met.push(dep)
      }
    }
    if (isKnown) {
      node.flags |= MUST_REBUILD
      known.push(node)
    }
  }
  const spread = (parent: Node): void => {
    if ((parent.flags & (VISITING | MUST_REBUILD)) === VISITING) {
      parent.flags |= MUST_REBUILD
      known.push(parent)
    }
  }
  for (const { up } of known) {
    if (up instanceof Node) {
      spread(up)
    } else {
      up?.forEach(spread)
    }
  }
  for (const node of met) {
    if (node.flags & MUST_REBUILD) {
      node.flags &= ~VISITING
    } else {
      clean(node, run)
    }
  }
}
