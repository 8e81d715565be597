import type { Slot, Table } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Entity } from '../schema/Entity.ts'
import { type Choice, members } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import type { Node } from './memo.ts'
import { entityNode, findNode } from './nodes.ts'

/** Reads a list of the items `node.seen`. It takes over the nodes at the start and the end that it has in common with the items `before`. */
export function readItems(reader: Reader, node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const { deps, seen: items } = node
  const size = deps.length
  // Each item was one record.
  if (!Array.isArray(items) || !Array.isArray(before) || before.length !== size || !members(choice).every(isEntity)) {
    return denormalizeItems(choice, items, reader.delegate)
  }
  const { frame } = reader
  if (items === before) {
    frame.deps = deps
    return replaceTouched(reader, node, copy(old))
  }
  const least = Math.min(size, items.length)
  let start = 0
  while (start < least && before[start] === items[start]) {
    start++
  }
  let end = 0
  while (end < least - start && before[size - 1 - end] === items[items.length - 1 - end]) {
    end++
  }
  const between = items.slice(start, items.length - end)
  const fresh = denormalizeItems(choice, between, reader.delegate) as unknown[]
  const nodes = reader.noted.slice(frame.start, reader.end)
  if (nodes.length < between.length) {
    reader.end = frame.start
    return denormalizeItems(choice, items, reader.delegate)
  }
  frame.deps = deps.slice(0, start).concat(nodes, deps.slice(size - end))
  const known: readonly unknown[] = Array.isArray(old) ? old : []
  return replaceTouched(reader, node, known.slice(0, start).concat(fresh, known.slice(size - end)))
}

/** Every record of a table. */
export function readAll(reader: Reader, node: Node, old: unknown): unknown {
  const table = node.source as Table
  const version = findNode(reader, table, 'leaf')
  reader.peek(version)
  if (node.deps[0] === version && version.changedAt <= node.builtAt) {
    reader.frame.deps = node.deps
    return replaceTouched(reader, node, copy(old), 1)
  }
  const deps = [version]
  const add = (slot: Slot): unknown => deps.push(entityNode(reader, node.schema as typeof Entity, slot))
  table.rows.forEach(add)
  table.floating.forEach(add)
  reader.frame.deps = deps
  return shown(reader, deps, 1)
}

function copy(old: unknown): unknown[] {
  return Array.isArray(old) ? old.slice() : []
}

/** The records of the dependencies in the frame, of which `out` has all that were not touched. */
function replaceTouched(reader: Reader, { touched }: Node, out: unknown[], skip = 0): unknown {
  const deps = reader.frame.deps!
  if (out.length !== deps.length - skip || touched === undefined) {
    return shown(reader, deps, skip)
  }
  for (const dep of touched) {
    for (let i = deps.indexOf(dep, skip); i >= 0; i = deps.indexOf(dep, i + 1)) {
      const value = (out[i - skip] = reader.peek(dep))
      if (value === undefined || value === INVALID) {
        return shown(reader, deps, skip)
      }
    }
  }
  return out
}

/** The records of these nodes, without those that are missing or deleted. */
function shown(reader: Reader, nodes: readonly Node[], skip = 0): unknown[] {
  const out: unknown[] = []
  for (let i = skip; i < nodes.length; i++) {
    const value = reader.peek(nodes[i]!)
    if (value !== undefined && value !== INVALID) {
      out.push(value)
    }
  }
  return out
}
