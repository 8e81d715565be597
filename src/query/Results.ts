import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import { type Live, Node, parentsOf, release, unlink } from '../rows/Node.ts'
import type { Hub } from './Hub.ts'
import type { Source } from './sources.ts'
import type { Stage, Step } from './Stage.ts'

/** How long a result without readers is kept up to date, in milliseconds. */
const IDLE = 60_000

/** How many entries may be kept for results without readers, however small their inputs are. */
const LEAST = 10_000

/** A query, as its results see it. */
interface Declared {
  readonly steps: readonly Step[]
}

/** What the queries of a store return. Those without readers are kept for a minute, as long as all that is kept for them is no larger than their input. */
class Results {
  readonly #reader: Reader
  readonly #byQuery = new Map<Declared, Map<string, Result>>()
  /** In the order they were last read. */
  readonly #all = new Set<Result>()
  #timer: unknown

  constructor(reader: Reader) {
    this.#reader = reader
  }

  get(query: Declared, args: readonly any[], stageOf: () => Stage): Result {
    const key = stableKey(args)
    let found = this.#byQuery.get(query)?.get(key)
    if (!found) {
      this.#sweep()
      found = new Result(query, key, stageOf)
      recall(this.#byQuery, query, () => new Map<string, Result>()).set(key, found)
    }
    this.#use(found)
    return found
  }

  #use(result: Result): void {
    const clock = this.#reader.host?.clock
    this.#all.delete(result)
    this.#all.add(result)
    result.usedAt = clock?.now() ?? 0
    this.#arm()
  }

  #arm(): void {
    const clock = this.#reader.host?.clock
    if (clock && this.#timer === undefined) {
      this.#timer = clock.setTimeout(() => {
        this.#timer = undefined
        this.#sweep()
      }, IDLE)
    }
  }

  #sweep(): void {
    const clock = this.#reader.host?.clock
    if (!clock) {
      return
    }
    const now = clock.now()
    const kept = new Set<Stage>()
    const idle: Result[] = []
    for (const result of [...this.#all].reverse()) {
      if (isRead(result.node)) {
        result.usedAt = now
        stagesOf(result).forEach((stage) => kept.add(stage))
      } else {
        idle.push(result)
      }
    }
    let left = Math.max(LEAST, ...[...this.#all].map((result) => stagesOf(result).at(-1)?.size ?? 0))
    for (const result of idle) {
      const stages = stagesOf(result).slice(0, -1)
      const size = stages.reduce((sum, stage) => sum + (kept.has(stage) ? 0 : stage.size), 0)
      if (now - result.usedAt >= IDLE || size > left) {
        this.#drop(result)
      } else {
        left -= size
        stages.forEach((stage) => kept.add(stage))
      }
    }
    if (this.#all.size > 0) {
      this.#arm()
    }
  }

  #drop(result: Result): void {
    const results = this.#byQuery.get(result.query)!
    this.#all.delete(result)
    results.delete(result.key)
    if (results.size === 0) {
      this.#byQuery.delete(result.query)
    }
    result.drop()
  }
}

const results = /* @__PURE__ */ new WeakMap<Hub, Results>()

export function resultsOf(hub: Hub): Results {
  return recall(results, hub, () => new Results(hub.reader))
}

/** What a query returns for its arguments. */
class Result implements Live<Reader> {
  readonly query: Declared
  readonly key: string
  readonly node: Node = new Node('live', this, undefined)
  stage: Stage | undefined = undefined
  /** When it last had a reader, or was read. */
  usedAt = 0
  readonly #stageOf: () => Stage

  constructor(query: Declared, key: string, stageOf: () => Stage) {
    this.query = query
    this.key = key
    this.#stageOf = stageOf
  }

  compute(reader: Reader, _: Node, old: unknown): unknown {
    const stage = (this.stage ??= this.#stageOf())
    reader.get(stage.node)
    for (const { errors } of stagesOf(this)) {
      for (const cause of errors.values()) {
        throw failed(this.query.steps, cause)
      }
    }
    return (stage.source as Source).isKnown ? stage.read!(reader, old) : undefined
  }

  /** Gives its memory back. What has been made from it is made again when it is read. */
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

/** The stages of a result, the source last. */
function stagesOf({ stage }: Result): Stage[] {
  const stages: Stage[] = []
  for (let one = stage; one; one = one.parent) {
    stages.push(one)
  }
  return stages
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
  const names = steps.map(({ name }) => name).join(', ')
  return isOurs(cause)
    ? cause
    : refusal('query-failed', names, DEV && `A function of a query (${names}) threw: ${String(cause)}.`, { cause })
}

function isOurs(error: unknown): boolean {
  return String((error as { code?: unknown } | undefined)?.code).startsWith('query-')
}
