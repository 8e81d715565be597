import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../reading/denormalize.ts'
import { type Live, Node, parentsOf, release, unlink } from '../rows/Node.ts'
import type { Hub } from './Hub.ts'
import type { Source } from './Source.ts'
import { forgetIn, type Stage, type Step } from './Stage.ts'

/** How long a result without readers is kept up to date, in milliseconds. */
const IDLE = 60_000

/** How many entries may be kept for results without readers, however small their inputs are. */
const LEAST = 10_000

/** A query, as its results see it. */
interface Declared {
  readonly steps: readonly Step[]
}

/** The results of the queries of a store. Those without readers are kept for a minute, as long as all that is kept for them is no larger than their input. */
class Results {
  readonly #reader: Reader
  /** By query and arguments. */
  readonly #found = new Map<Declared, Map<string, Result>>()
  /** In the order they were last read. */
  readonly #all = new Set<Result>()
  #timer: unknown

  constructor(reader: Reader) {
    this.#reader = reader
  }

  get(query: Declared, args: readonly any[], stageOf: () => Stage): Result {
    const key = stableKey(args)
    if (!this.#found.get(query)?.has(key)) {
      this.#sweep()
    }
    const results = recall(this.#found, query, () => new Map<string, Result>())
    const result = recall(results, key, () => new Result(query, stageOf))
    this.#all.delete(result)
    this.#all.add(result)
    result.usedAt = this.#reader.host?.clock?.now() ?? 0
    this.#arm()
    return result
  }

  #arm(): void {
    const clock = this.#reader.host?.clock
    if (clock && this.#timer === undefined) {
      this.#timer = clock.setTimeout(() => {
        this.#timer = undefined
        this.#sweep()
        if (this.#all.size > 0) {
          this.#arm()
        }
      }, IDLE)
    }
  }

  /** Drops results that have had no readers for long, or that are too many. */
  #sweep(): void {
    const now = this.#reader.host?.clock?.now()
    const all = [...this.#all].reverse()
    const kept = new Set<Stage>()
    let left = Math.max(LEAST, ...all.map(({ stage }) => stage?.source.size ?? 0))
    for (const result of all) {
      if (isRead(result.node)) {
        result.usedAt = now ?? 0
        sizeOf(result, kept)
      }
    }
    for (const result of now === undefined ? [] : all) {
      if (!isRead(result.node) && (now! - result.usedAt >= IDLE || (left -= sizeOf(result, kept)) < 0)) {
        this.#all.delete(result)
        forgetIn(this.#found, result)
        result.drop()
      }
    }
  }
}

const results = /* @__PURE__ */ new WeakMap<Hub, Results>()

export function resultsOf(hub: Hub): Results {
  return recall(results, hub, () => new Results(hub.reader))
}

/** The result of a query for its arguments. */
class Result implements Live<Reader> {
  readonly #query: Declared
  readonly node: Node = new Node('live', this, undefined)
  stage: Stage | undefined = undefined
  /** When it last had a reader, or was read. */
  usedAt = 0
  readonly #stageOf: () => Stage

  constructor(query: Declared, stageOf: () => Stage) {
    this.#query = query
    this.#stageOf = stageOf
  }

  compute(reader: Reader, _: Node, old: unknown): unknown {
    const last = (this.stage ??= this.#stageOf())
    reader.get(last.node)
    for (let stage: Stage | undefined = last; stage; stage = stage.parent) {
      for (const cause of stage.errors.values()) {
        throw failed(this.#query.steps, cause)
      }
    }
    return (last.source as Source).isKnown ? last.read!(reader, old) : undefined
  }

  /** Gives its memory back. Values that were made from it are made again when they are read. */
  drop(): void {
    const { stage } = this
    this.node.touch()
    release(this.node, new Set())
    unlink(this.node)
    this.stage = undefined
    for (let one = stage; one?.isUnused; one = one.parent) {
      one.drop()
    }
  }
}

/** The entries that the stages of a result keep, beside those of the input and of stages that are kept anyway. */
function sizeOf(result: Result, kept: Set<Stage>): number {
  let size = 0
  for (let stage = result.stage; stage?.parent; stage = stage.parent) {
    size += kept.has(stage) ? 0 : stage.size
    kept.add(stage)
  }
  return size
}

/** True where something that is made from a node has readers. */
function isRead(node: Node): boolean {
  const met = new Set([node])
  for (const one of met) {
    if (one.aside?.view?.isMounted) {
      return true
    }
    for (const parent of parentsOf(one)) {
      met.add(parent)
    }
  }
  return false
}

function failed(steps: readonly Step[], cause: unknown): unknown {
  if (String((cause as { code?: unknown } | undefined)?.code).startsWith('query-')) {
    return cause
  }
  const names = steps.map(({ name }) => name).join(', ')
  return refusal('query-failed', names, DEV && `A function of a query (${names}) threw: ${String(cause)}.`, { cause })
}
