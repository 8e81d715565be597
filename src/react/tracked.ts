import { DEV } from '../base/env.ts'

/** For each member of a result, how it follows from the state. */
export type Members<S, R extends object> = { readonly [K in keyof R]: (state: S) => R[K] }

interface Tracked<S, R extends object> {
  state: S
  /** The members that were read, and what they were. */
  readonly read: Map<PropertyKey, unknown>
  result?: R
}

/**
 * Returns a function from a state to a result that knows which of its members were read. It is the same object until one of those
 * changes: a component renders for what it reads, and for nothing else.
 */
export function createTracker<S, R extends object>(members: Members<S, R>): (state: S) => R {
  let last: Tracked<S, R> | undefined
  return (state) => {
    if (last && isSame(members, state, last.read)) {
      // Nobody has seen the members that are different now.
      last.state = state
      return last.result!
    }
    const mine: Tracked<S, R> = (last = { state, read: new Map() })
    // Several times cheaper to create than an object with getters. The keys are those of `members`, so `...rest` reads all of them.
    return (mine.result = new Proxy(DEV ? describe(members, mine) : members, {
      get(_target, name) {
        if (!mine.read.has(name) && Object.hasOwn(members, name)) {
          mine.read.set(name, members[name as keyof R](mine.state))
        }
        return mine.read.get(name)
      },
    }) as R)
  }
}

function isSame<S>(members: any, state: S, read: ReadonlyMap<PropertyKey, unknown>): boolean {
  for (const [name, value] of read) {
    if (!Object.is(members[name](state), value)) {
      return false
    }
  }
  return true
}

/** What a console shows of a result in development: getters that are not tracked. */
function describe<S, R extends object>(members: Members<S, R>, tracked: Tracked<S, R>): object {
  const target = {}
  for (const name in members) {
    const get = (): unknown => members[name](tracked.state)
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get })
  }
  return target
}
