import { DEV } from '../base/env.ts'

/** For each member of a result, how it follows from the state. */
export type Members<S, R extends object, B = undefined> = { readonly [K in keyof R]: (state: S, by: B) => R[K] }

/**
 * Returns a function from a state to a result that knows which of its members were read. It is the same object until one of those
 * changes: a component renders for what it reads, and for nothing else.
 *
 * @param by passed to the members
 */
export function createTracker<S, R extends object, B>(members: Members<S, R, B>, by?: B): (state: S) => R {
  let last: Tracked<S, R, B> | undefined
  return (state) => {
    if (last?.isCurrent(state)) {
      // Nobody has seen the members that are different now.
      last.state = state
    } else {
      last = new Tracked(members, by as B, state)
    }
    return last.result
  }
}

/** A result, and the handler of its proxy: that is several times cheaper to create than an object with getters. */
class Tracked<S, R extends object, B> implements ProxyHandler<object> {
  readonly result: R
  readonly members: Members<S, R, B>
  state: S
  readonly by: B
  /** The members that were read. */
  private readonly read: Partial<R> = {}

  constructor(members: Members<S, R, B>, by: B, state: S) {
    this.members = members
    this.by = by
    this.state = state
    // The keys are those of `members`, so `...rest` reads all of them.
    this.result = new Proxy(DEV ? describe(this) : members, this) as R
  }

  get(_target: object, name: PropertyKey): unknown {
    const { members, read, state, by } = this
    const key = name as keyof R
    if (!Object.hasOwn(read, name) && Object.hasOwn(members, name)) {
      read[key] = members[key](state, by)
    }
    return read[key]
  }

  isCurrent(state: S): boolean {
    const { members, read, by } = this
    for (const name in read) {
      if (!Object.is(members[name](state, by), read[name])) {
        return false
      }
    }
    return true
  }
}

/** For the console, in development: getters that are not tracked. */
function describe<S, R extends object, B>(tracked: Tracked<S, R, B>): object {
  const target = {}
  for (const name in tracked.members) {
    const get = (): unknown => tracked.members[name](tracked.state, tracked.by)
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get })
  }
  return target
}
