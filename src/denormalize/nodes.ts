import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { indexName, type Slot, type Table } from '../normalize/tables.ts'
import type { Entity } from '../schema/Entity.ts'
import { isList, isSchemaClass } from '../schema/Schema.ts'
import { extras, type Kind, Node, type NodeExtra, NONE, UNMADE, nodesOf } from './memo.ts'

/** A slot or table has its nodes; a reader that sees other rows keeps its own. */
export type Apart = Map<object, Node> | undefined

/** The node of a slot or table by a schema; it is created by the first read. */
export function findNode(apart: Apart, source: Slot | Table, kind: Kind, schema?: unknown, extra?: NodeExtra): Node {
  const first = apart === undefined ? (source.node as Node | undefined) : apart.get(source)
  const variant = extra?.variant ?? ''
  for (let node = first, i = 0; node !== undefined; node = first!.extra?.siblings?.[i++]) {
    if (
      node.kind === kind &&
      (kind === 'list' || isSameSchema(node.schema, schema)) &&
      (node.extra?.variant ?? '') === variant
    ) {
      return node
    }
  }
  const made = new Node(kind, schema, source, extra)
  if (first !== undefined) {
    ;((first.extra ??= extras()).siblings ??= []).push(made)
  } else if (apart === undefined) {
    source.node = made
  } else {
    apart.set(source, made)
  }
  return made
}

/** The node of one entry of an index. */
export function indexNode(apart: Apart, table: Table, field: string, value: string): Node {
  const nodes = (apart === undefined ? table.indexNodes : new Map()) as Map<string, Node>
  return recall(nodes, indexName(field, value), () => new Node('index', undefined, table, extras([field, value])))
}

/** A class was declared again, which only hot reloading does: its records are made again with the new one. */
export function replaceClass(table: Table, old: typeof Entity, next: typeof Entity): void {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    for (const { node: first } of table.slots.values()) {
      for (const node of first ? nodesOf(first as Node) : NONE) {
        if (node.schema === old) {
          ;(node as { schema: unknown }).schema = next
          node.seen = UNMADE
        }
      }
      first?.touch()
    }
  }
}

/** Equal inline schemas count as one: `[User]` written twice. */
function isSameSchema(a: any, b: any): boolean {
  if (a === b || !isObject(a) || !isObject(b)) {
    return a === b
  }
  if (isSchemaClass(a) || isSchemaClass(b)) {
    if (isList(a) && isList(b)) {
      return a.key === b.key && a.name === b.name
    }
    const { choice } = a as { choice?: unknown }
    return (
      a.constructor === b.constructor &&
      choice !== undefined &&
      isSameSchema(choice, (b as { choice?: unknown }).choice)
    )
  }
  const names = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameSchema(a[name], b[name]))
  )
}
