// Names of schema types that people who move from data-client have written down.
import type { EndpointInterface, ResolveType } from '../endpoint/EndpointOptions.ts'
import type { InnerSchema } from '../kinds/Collection.ts'
import type { EntityClass, Normalize } from '../schema/Denormalize.ts'
import type { Entity } from '../kinds/Entity.ts'

/** An Entity class, for functions that take any of them. */
export type IEntityClass<T = any> = Omit<typeof Entity, 'prototype'> &
  (abstract new (...args: any[]) => T) &
  EntityClass<T>

/** An instance of an Entity: anything with a primary key. */
export interface IEntityInstance {
  pk(parent?: any, key?: string, args?: readonly any[]): string | number | undefined
}

/** The instance type of a class, abstract ones included. */
export type AbstractInstanceType<T> = T extends { readonly prototype: infer U } ? U : never

/** By these members the types recognise an Entity class. */
export type EntityInterface<T = any> = EntityClass<T>

/** Entity classes by name, as a Union takes them. */
export interface EntityMap<T = any> {
  readonly [name: string]: EntityInterface<T>
}

/** A schema that a Collection can hold besides an array: Values, or one of several entities. */
export type PolymorphicInterface = Exclude<InnerSchema, readonly any[]>

/** A type that takes no part in inference. */
export type NI<T> = NoInfer<T>

/** A function or class that makes a field from its serialised value. */
export type Serializable<T extends { toJSON(): string } = { toJSON(): string }> = (value: any) => T

/** A schema that merges incoming data with stored data. */
export interface Mergeable {
  readonly key: string
  merge(existing: any, incoming: any): any
  mergeWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): any
  mergeMetaWithStore(existingMeta: any, incomingMeta: any, existing: any, incoming: any): any
}

/** The normalised result of an endpoint, as the store holds it. */
export type ResultEntry<E extends EndpointInterface> = [E['schema']] extends [null | undefined]
  ? ResolveType<E>
  : Normalize<E['schema']>

/** The type of an endpoint's `update` option. */
export type EndpointUpdateFunction<E extends EndpointInterface, U = { [key: string]: (result: any) => any }> = (
  response: ResultEntry<E>,
  ...args: Parameters<E>
) => U

/** Makes the new result of another endpoint from the response and the result before. */
export type UpdateFunction<S, D> = (response: Normalize<S>, result: Normalize<D> | undefined) => Normalize<D>

/** A primary key. */
export type PK = string
