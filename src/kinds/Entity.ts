import { relation } from '../rows/relation.ts'
import { define } from '../base/define.ts'
import { recall } from '../base/recall.ts'
import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import { assignFields } from '../schema/assignFields.ts'
import type { Schema } from '../schema/Denormalize.ts'
import { checkKey } from '../schema/entityKey.ts'
import { argsPk } from '../schema/pk.ts'
import { type IQueryDelegate } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { recordCode } from './recordCode.ts'

type AnyClass<T = any> = abstract new (...args: any) => T
/** The data members of an instance, all optional. */
type Props<C extends AnyClass> = Partial<Omit<InstanceType<C>, 'pk'>>

/**
 * A kind of record. Fields are class members with their defaults; the store keeps one row for each primary key.
 *
 * @example
 * class User extends Entity {
 *   id = ''
 *   name = ''
 *   static override key = 'User'
 * }
 * @see docs/api/Entity.md
 */
export abstract class Entity {
  /** The primary key of this record. Override it where that is not the field `id`. */
  pk(_parent?: any, _key?: string, _args?: readonly any[]): string | number | undefined {
    return (this as { id?: string | number }).id
  }

  /** @internal The class whose members are the defaults. The store gets it here, so that an app without records does not carry it. */
  static get entityBase(): typeof Entity {
    return Entity
  }

  /** @internal The code of records. The store gets it here, as that of lists from a Collection. */
  static get code(): object {
    return recordCode
  }

  /** The name of the table. Written down, it survives minifying. */
  static get key(): string {
    return checkKey(this.name)
  }
  static set key(value: string) {
    // Keys belong to the class they are set on; an assignment may not reach the parent.
    define(this, 'key', value)
  }

  /** Fields that are records of their own, or that a function converts on reading. */
  static schema: { readonly [field: string]: Schema } = {}

  /** Fields by whose value a record can be looked up. */
  declare static indexes?: readonly string[]

  /** Fields that readers rely on: a record without one of them is not shown for an endpoint that was never fetched. */
  declare static required?: readonly string[]

  /** The effect of an array instead of this record: an error (unset), a warning, or nothing. */
  declare static automaticValidation?: 'warn' | 'silent'

  /** Refuses a record: return the reason. A Standard Schema is asked on arrival only. */
  declare static validate?: ((processed: any) => string | undefined | void) | StandardSchemaV1

  /** Prepares a value on arrival: rename fields, add keys of relations. Returns a new object; it may be given its own output again. */
  static process(input: any, _parent: any, _key: string | undefined, _args: readonly any[]): any {
    return { ...input }
  }

  /** The primary key of a value that is not an instance yet. */
  static pk(value: any, parent?: any, key?: string, args?: readonly any[]): string | number | undefined {
    return this.prototype.pk.call(value, parent, key, args)
  }

  /** Joins a stored record with an incoming one. */
  static merge(existing: any, incoming: any): any {
    return { ...existing, ...incoming }
  }

  /** True when the incoming record is the older one. */
  static shouldReorder(existingMeta: Meta, incomingMeta: Meta, _existing: any, _incoming: any): boolean {
    return relation(incomingMeta, existingMeta) === 'loses'
  }

  /** False leaves the stored record untouched. */
  static shouldUpdate(_existingMeta: Meta, _incomingMeta: Meta, _existing: any, _incoming: any): boolean {
    return true
  }

  /** Ties `shouldUpdate`, `shouldReorder` and `merge` together. */
  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): any {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) {
      return existing
    }
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming)
  }

  /** The times the row keeps after a merge. */
  static mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: any, incoming: any): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  /** Finds the primary key that arguments name, among the stored records. */
  static queryKey(args: readonly any[], _unvisit: unknown, delegate: IQueryDelegate): string | undefined {
    const pk = argsPk(this, args)
    if (pk !== undefined) {
      return delegate.getEntity(this.key, pk) && pk
    }
    const first: any = Object(args[0])
    const field = this.indexes?.find((name) => Object.hasOwn(first as object, name))
    return field === undefined ? undefined : delegate.getIndex(this, field, String(first[field]))
  }

  /** A new instance: class defaults, overlaid with all members of `props`. Nothing is checked or converted. */
  static fromJS<C extends AnyClass>(this: C, props?: Props<C>): InstanceType<C> {
    const instance = new (this as unknown as new () => InstanceType<C>)()
    if (props) {
      assignFields(instance, props)
    }
    return instance
  }

  /** An instance, unless `validate` complains. */
  static createIfValid<C extends AnyClass>(this: C, props: Props<C>): InstanceType<C> | undefined {
    const self = this as unknown as typeof Entity
    if (typeof self.validate === 'function' && !('~standard' in self.validate) && self.validate(props)) {
      return undefined
    }
    return (self.fromJS as (props: unknown) => InstanceType<C>)(props)
  }

  /** One instance with nothing but the defaults, the same each time. */
  static get defaults(): any {
    // Not kept on the class: a subclass would inherit it.
    return recall(defaults, this, () => new (this as unknown as new () => object)())
  }
  static set defaults(value: any) {
    defaults.set(this, value as object)
  }

  static toJSON(): { key: string; schema: unknown } {
    return { key: this.key, schema: this.schema }
  }

  static toString(): string {
    return this.key
  }
}

const defaults = new WeakMap<object, object>()

/** The static members of every Entity, whether made by `extends` or by `EntityMixin`. */
export type EntityStatics = Omit<typeof Entity, 'prototype'>

/** The reason a record lacks a field, for `static validate`; `undefined` when it has all of them. */
export function validateRequired(processed: any, requiredDefaults: Record<string, unknown>): string | undefined {
  for (const name of Object.keys(requiredDefaults)) {
    if (!Object.hasOwn(processed as object, name)) {
      return `Missing key ${name}`
    }
  }
  return undefined
}
