import type { Slot, Table } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Entity } from '../schema/Entity.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import type { Node } from './memo.ts'
import { childNode, entityNode } from './nodes.ts'

/** Reads a list of the items `node.seen`, which had the items `before`. */
export function readItems(reader: Reader, node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const { deps, seen: items } = node
  if (choice.attribute !== undefined || !isEntity(choice.schema) || !Array.isArray(items)) {
    return denormalizeItems(choice, items, reader.delegate)
  }
  if (items === before && items.length === deps.length) {
    return readNodes(reader, node, deps, old)
  }
  return items.every((item) => typeof item === 'string')
    ? readNodes(reader, node, nodesOfKeys(reader, choice.schema as never, items, deps), old)
    : denormalizeItems(choice, items, reader.delegate)
}

/** Every record of a table, which had the version `before`. */
export function readAll(reader: Reader, node: Node, old: unknown, before: unknown): unknown {
  const { rows, floating } = node.source as Table
  const add = (slot: Slot): Node => entityNode(reader, node.schema as typeof Entity, slot)
  const nodes = node.seen === before ? node.deps : [...rows, ...floating].map(add)
  return readNodes(reader, node, nodes, old)
}

/** Most keys stand where they stood, or one place before: to find their nodes otherwise takes two look-ups each. */
function nodesOfKeys(reader: Reader, Class: typeof Entity, keys: readonly string[], old: readonly Node[]): Node[] {
  let next = 0
  return keys.map((pk) => {
    for (let at = next; at < next + 2 && at < old.length; at++) {
      const known = old[at]!
      if ((known.source as Slot).pk === pk && known.schema === Class) {
        next = at + 1
        return known
      }
    }
    return childNode(reader, Class, pk)
  })
}

/** The records of these nodes, which become the dependencies, without those that are missing or deleted. */
function readNodes(reader: Reader, { deps, touched }: Node, nodes: readonly Node[], old: unknown): unknown[] {
  reader.deps = nodes
  if (nodes === deps && touched && Array.isArray(old) && old.length === deps.length) {
    const all: unknown[] = old.slice()
    for (const dep of touched) {
      for (let i = deps.indexOf(dep); i >= 0; i = deps.indexOf(dep, i + 1)) {
        all[i] = reader.peek(dep)
      }
    }
    if (touched.every(({ value }) => value !== undefined && value !== INVALID)) {
      return all
    }
  }
  const out: unknown[] = []
  for (const node of nodes) {
    const value = reader.peek(node)
    if (value !== undefined && value !== INVALID) {
      out.push(value)
    }
  }
  return out
}
