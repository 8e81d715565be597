import { markOrigin } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import type { Scalar } from '../schema/Scalar.ts'
import { isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import type { Node } from './memo.ts'

type Lens = (args: readonly any[]) => unknown

/** Facts about a class or a Collection, computed once. */
interface Shape {
  readonly Class: unknown
  readonly schema: unknown
  /** Fields whose deletion makes the record unusable: relations whose default is there. */
  readonly required: readonly string[]
  /** Fields that the class declares. A function among them is a method, and comes from nowhere. */
  readonly declared: readonly string[]
  /** Select the part of the arguments that the value depends on. */
  readonly lenses: readonly Lens[]
  readonly hasGetters: boolean
}

const shapes = new WeakMap<object, Shape>()
/** The last one that was read, which is nearly always the next. */
let last: Shape | undefined

/** The shape of a class; it is computed again when the class gets another schema. */
export function shapeOf(Class: typeof Entity | Collection): Shape {
  const { schema } = Class as any
  if (last?.Class !== Class || last.schema !== schema) {
    last = shapes.get(Class)
    if (last?.schema !== schema || last === undefined) {
      const { defaults = {}, prototype } = Class as any
      const isRequired = (name: string): boolean => isReference(schema[name], true) && defaults[name]
      last = {
        Class,
        schema,
        required: isEntity(Class) ? Object.keys(schema as object).filter(isRequired) : [],
        declared: Object.keys(defaults as object).filter((name) => typeof defaults[name] !== 'function'),
        lenses: lensesOf(Class),
        hasGetters: hasGetters(prototype as object | undefined),
      }
      shapes.set(Class, last)
    }
  }
  return last
}

/** An instance with the fields of its row; relations are set later. */
export function instantiate({ schema: Class, seen, source }: Node): object {
  const instance: object = new Class()
  // First, while the engine still makes room in the object for what comes.
  markOrigin(instance, source as Slot)
  if (shapeOf(Class as typeof Entity).hasGetters || Object.hasOwn(seen as object, '__proto__')) {
    assignFields(instance, seen as object)
  } else {
    Object.assign(instance, seen)
  }
  return instance
}

/** True for what a record refers to by key; with `single`, for what is one record. */
export function isReference(member: any, single = false): boolean {
  return isEntity(member) || member?.isUnion === true || (!single && member?.cacheWith !== undefined)
}

/** Every lens that can be reached from a schema; what we do not know may look at all arguments. */
function lensesOf(root: unknown): Lens[] {
  const lenses: Lens[] = []
  const met = new Set([root])
  for (const schema of met as Set<any>) {
    let members: any = isEntity(schema) ? schema.schema : schema
    if (isSchemaClass(schema)) {
      members = isOwn(schema) && schema.parts!()
      if (!members || 'lens' in schema) {
        lenses.push((args) => (members ? (schema as unknown as Scalar).lens(args) : args))
      }
    }
    if (typeof members === 'object') {
      Object.values(members ?? {}).forEach((member) => met.add(member))
    }
  }
  return lenses
}

function hasGetters(prototype: object | null | undefined): boolean {
  if (!prototype || prototype === Object.prototype) {
    return false
  }
  const members = Object.values(Object.getOwnPropertyDescriptors(prototype))
  return members.some(({ get }) => get) || hasGetters(Object.getPrototypeOf(prototype) as object | null)
}
