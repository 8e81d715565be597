import { DEV } from '../base/env.ts'
import { fail, refusal } from '../base/errors.ts'
import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import { type Live, Node } from '../rows/Node.ts'
import { type IDenormalizeDelegate, type SchemaClass } from '../schema/Schema.ts'
import { type Hub, hubOf, loop } from './Hub.ts'
import { inOrder } from './Ordered.ts'
import { notInput, type Source, sourceOf } from './sources.ts'
import type { Stage, Step } from './Stage.ts'
import type { Both, Input, InputArgs, ItemOf, LiveQuery, Operator } from './types.ts'

class QuerySchema implements SchemaClass {
  /** The input. */
  readonly schema: any
  readonly steps: readonly Step[]

  constructor(input: unknown, steps: readonly Step[]) {
    this.schema = input
    this.steps = steps
    const last = steps.findIndex(({ isLast }) => isLast)
    if (last >= 0 && last < steps.length - 1) {
      const [before, after] = [steps[last]!.name, steps[last + 1]!.name]
      throw fail(
        'query-steps',
        `${before} ${after}`,
        DEV && `${after}() follows ${before}(), which returns one value. Put it before, or make a query of its own.`,
        TypeError,
      )
    }
    if (!isObject(input) && typeof input !== 'function') {
      throw notInput()
    }
  }

  parts(): readonly unknown[] {
    return []
  }

  normalize(): never {
    throw fail('query-input', 'normalize', DEV && 'A live query reads the store. It is no schema of a response.')
  }

  /** It is read while it is computed. */
  onLoop(): never {
    throw loop()
  }

  queryKey(): string {
    return ''
  }

  denormalize(_: unknown, delegate: IDenormalizeDelegate): unknown {
    const reader = delegate.reader as Reader
    return reader.get(resultOf(hubOf(reader), this, delegate.args).node)
  }
}

/** What a query returns for its arguments. */
class Result implements Live<Reader> {
  readonly node: Node = new Node('live', this, undefined)
  readonly #hub: Hub
  readonly #query: QuerySchema
  readonly #args: readonly any[]
  #stage: Stage | undefined

  constructor(hub: Hub, query: QuerySchema, args: readonly any[]) {
    this.#hub = hub
    this.#query = query
    this.#args = args
  }

  compute(reader: Reader, _: Node, old: unknown): unknown {
    const { steps } = this.#query
    const stage = (this.#stage ??= stageOf(this.#hub, this.#query, this.#args))
    reader.get(stage.node)
    for (let one: Stage | undefined = stage; one; one = one.parent) {
      for (const cause of one.errors.values()) {
        throw failed(steps, cause)
      }
    }
    return (stage.source as Source).isKnown ? stage.read!(reader, old) : undefined
  }
}

const results = /* @__PURE__ */ new WeakMap<Hub, Map<QuerySchema, Map<string, Result>>>()

function resultOf(hub: Hub, query: QuerySchema, args: readonly any[]): Result {
  const ofHub = recall(results, hub, () => new Map<QuerySchema, Map<string, Result>>())
  const ofQuery = recall(ofHub, query, () => new Map<string, Result>())
  return recall(ofQuery, stableKey(args), () => new Result(hub, query, args))
}

/** The last stage of a query. */
function stageOf(hub: Hub, { schema: input, steps }: QuerySchema, args: readonly any[]): Stage {
  const source = input instanceof QuerySchema ? stageOf(hub, input, args) : sourceOf(hub, input, args)
  const last = steps.reduce((stage, step) => stage.follow(step, args), source)
  return last.read === undefined ? inOrder(last) : last
}

function failed(steps: readonly Step[], cause: unknown): unknown {
  const names = steps.map(({ name }) => name).join(', ')
  return isOurs(cause)
    ? cause
    : refusal('query-failed', names, DEV && `A function of a query (${names}) threw: ${String(cause)}.`, { cause })
}

function isOurs(error: unknown): boolean {
  return String((error as { code?: unknown } | undefined)?.code).startsWith('query-')
}

/**
 * A question to the store that is kept up to date: one changed record costs what that record costs, however many there are.
 *
 * @example
 * const next = query(Todo, where((todo) => !todo.done), sortBy((todo) => todo.title), take(50))
 * @see docs/api/LiveQuery.md
 */
export function query<
  S extends Input,
  A = ItemOf<S>,
  B = A,
  C = B,
  D = C,
  E = D,
  F = E,
  RA = ItemOf<S>[],
  RB = RA,
  RC = RB,
  RD = RC,
  RE = RD,
  RF = RE,
  XA extends readonly unknown[] = [],
  XB extends readonly unknown[] = [],
  XC extends readonly unknown[] = [],
  XD extends readonly unknown[] = [],
  XE extends readonly unknown[] = [],
  XF extends readonly unknown[] = [],
>(
  input: S,
  a?: Operator<ItemOf<S>, A, XA, RA>,
  b?: Operator<A, B, XB, RB>,
  c?: Operator<B, C, XC, RC>,
  d?: Operator<C, D, XD, RD>,
  e?: Operator<D, E, XE, RE>,
  f?: Operator<E, F, XF, RF>,
): LiveQuery<RF, Both<InputArgs<S>, Both<XA, Both<XB, Both<XC, Both<XD, Both<XE, XF>>>>>>> {
  const steps = [a, b, c, d, e, f].filter((one) => one !== undefined)
  return new QuerySchema(input, steps) as never
}
