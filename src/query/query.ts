import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { isObject } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import { type IDenormalizeDelegate, type SchemaClass } from '../schema/Schema.ts'
import { type Hub, hubOf, loop } from './Hub.ts'
import { FromInput } from './from.ts'
import { noFunction } from './functions.ts'
import { inOrder } from './Ordered.ts'
import { resultsOf } from './Results.ts'
import { notInput } from './ListSource.ts'
import { sourceOf } from './sourceOf.ts'
import type { Stage, Step } from './Stage.ts'
import type {
  Both,
  Input,
  InputArgs,
  ItemOf,
  LiveQuery,
  Next,
  Operator,
  ResultOf,
  TotalArgs,
  TotalsBy,
} from './types.ts'

class QuerySchema implements SchemaClass {
  /** The input. */
  readonly schema: any
  readonly steps: readonly Step[]

  constructor(input: unknown, given: readonly (Step | TotalsByName)[]) {
    const steps = stepsOf(given)
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
    const hub = hubOf(reader)
    const { args } = delegate
    return reader.get(resultsOf(hub).get(this, args, () => stageOf(hub, this, args)).node)
  }
}

/** Totals as they are given: operators by name. */
type TotalsByName = Readonly<Record<string, Step & { beside(totals: TotalsByName): Step }>>

/** Totals become one step, together with a `groupBy` before them. */
function stepsOf(given: readonly (Step | TotalsByName)[]): Step[] {
  const steps: Step[] = []
  for (const one of given) {
    if (!isObject(one)) {
      throw noFunction('query', one)
    }
    const before: (Step & { withTotals?(totals: TotalsByName): Step }) | undefined = steps.at(-1)
    if (isStep(one)) {
      steps.push(one)
    } else if (before?.withTotals) {
      steps[steps.length - 1] = before.withTotals(one)
    } else {
      steps.push(
        ...Object.values(one)
          .slice(0, 1)
          .map((total) => total.beside(one)),
      )
    }
  }
  return steps
}

function isStep(one: Step | TotalsByName): one is Step {
  return typeof (one as Step).make === 'function'
}

/** The last stage of a query. */
function stageOf(hub: Hub, { schema: input, steps }: QuerySchema, args: readonly any[]): Stage {
  const first = inputOf(hub, input, args)
  return inOrder(steps.reduce((stage, step) => (step.isOfPlaces ? inOrder(stage) : stage).follow(step, args), first))
}

function inputOf(hub: Hub, input: unknown, args: readonly any[]): Stage {
  if (input instanceof FromInput) {
    return inputOf(hub, input.input, input.argsOf(...args))
  }
  if (!(input instanceof QuerySchema)) {
    return sourceOf(hub, input, args)
  }
  if (input.steps.at(-1)?.isLast) {
    throw notInput()
  }
  return stageOf(hub, input, args)
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
  TA extends TotalsBy<ItemOf<S>> = TotalsBy<ItemOf<S>>,
  A = Next<ItemOf<S>, TA>,
  RA = ResultOf<ItemOf<S>, TA, ItemOf<S>[]>,
  XA extends readonly unknown[] = TotalArgs<TA>,
  TB extends TotalsBy<A> = TotalsBy<A>,
  B = Next<A, TB>,
  RB = ResultOf<A, TB, RA>,
  XB extends readonly unknown[] = TotalArgs<TB>,
  TC extends TotalsBy<B> = TotalsBy<B>,
  C = Next<B, TC>,
  RC = ResultOf<B, TC, RB>,
  XC extends readonly unknown[] = TotalArgs<TC>,
  TD extends TotalsBy<C> = TotalsBy<C>,
  D = Next<C, TD>,
  RD = ResultOf<C, TD, RC>,
  XD extends readonly unknown[] = TotalArgs<TD>,
  TE extends TotalsBy<D> = TotalsBy<D>,
  E = Next<D, TE>,
  RE = ResultOf<D, TE, RD>,
  XE extends readonly unknown[] = TotalArgs<TE>,
  TF extends TotalsBy<E> = TotalsBy<E>,
  F = Next<E, TF>,
  RF = ResultOf<E, TF, RE>,
  XF extends readonly unknown[] = TotalArgs<TF>,
  TG extends TotalsBy<F> = TotalsBy<F>,
  G = Next<F, TG>,
  RG = ResultOf<F, TG, RF>,
  XG extends readonly unknown[] = TotalArgs<TG>,
  TH extends TotalsBy<G> = TotalsBy<G>,
  H = Next<G, TH>,
  RH = ResultOf<G, TH, RG>,
  XH extends readonly unknown[] = TotalArgs<TH>,
>(
  input: S,
  a?: Operator<ItemOf<S>, A, XA, RA> | TA,
  b?: Operator<A, B, XB, RB> | TB,
  c?: Operator<B, C, XC, RC> | TC,
  d?: Operator<C, D, XD, RD> | TD,
  e?: Operator<D, E, XE, RE> | TE,
  f?: Operator<E, F, XF, RF> | TF,
  g?: Operator<F, G, XG, RG> | TG,
  h?: Operator<G, H, XH, RH> | TH,
): LiveQuery<RH, Both<InputArgs<S>, Both<XA, Both<XB, Both<XC, Both<XD, Both<XE, Both<XF, Both<XG, XH>>>>>>>>> {
  const steps = [a, b, c, d, e, f, g, h].filter((one) => one !== undefined)
  return new QuerySchema(input, steps as never[]) as never
}
