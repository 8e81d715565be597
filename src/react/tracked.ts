/** For each member of a result, how it follows from the state. */
export type Members<S, R extends object> = { readonly [K in keyof R]: (state: S) => R[K] }

/**
 * Returns a function from a state to a result whose members are getters. The result is the same object until a member changes that
 * somebody has read from it: a component renders for what it reads, and for nothing else.
 */
export function createTracker<S, R extends object>(members: Members<S, R>): (state: S) => R {
  let last: { state: S; readonly read: Map<keyof R, unknown>; readonly result: R } | undefined
  return (state) => {
    if (last && [...last.read].every(([name, value]) => Object.is(members[name](state), value))) {
      // Nobody has seen the members that are different now.
      last.state = state
      return last.result
    }
    const mine = (last = { state, read: new Map<keyof R, unknown>(), result: {} as R })
    for (const name in members) {
      // Own and enumerable: `const { data, ...rest } = result` copies, and so reads, all of them.
      Object.defineProperty(mine.result, name, {
        enumerable: true,
        get() {
          if (!mine.read.has(name)) {
            mine.read.set(name, members[name](mine.state))
          }
          return mine.read.get(name)
        },
      })
    }
    return mine.result
  }
}
