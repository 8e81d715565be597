import { when } from '../base/when.ts'
import type { ActionTypes, Dispatch } from './actions.ts'
import { EXPIREALL, FETCH, GC, INVALIDATE, INVALIDATEALL, RESET, SET, SET_RESPONSE } from './actionTypes.ts'
import type { Controller } from './Controller.ts'

/** The end of the chain: does to the store what an action says. What it does not know it leaves alone. */
export function createApply({ core: { driver, requests } }: Controller): Dispatch {
  const { subscriptions } = driver.store

  const apply = (action: ActionTypes): void | Promise<void> => {
    switch (action.type) {
      case FETCH:
        return requests.get(action.meta.requestId)?.opened.show()
      case SET_RESPONSE:
        return requests.respond(action)
      case SET:
        return driver.set(action.schema, action.args, action.value)
      case INVALIDATE:
      case INVALIDATEALL: {
        const { testKey } = action.type === INVALIDATE ? { testKey: (key: string) => key === action.key } : action
        requests.overrule(testKey)
        if (action.type === INVALIDATE) {
          driver.invalidate({ key: () => action.key } as never, [])
        } else {
          driver.invalidateAll({ testKey })
        }
        return
      }
      case EXPIREALL:
        return driver.expireAll(action)
      case RESET:
        return requests.reset()
      case GC:
        return when(driver.collector(), (collector) => collector.collect(action))
    }
  }

  return (action) => {
    const done = apply(action as ActionTypes)
    return done ? done.then(subscriptions.whenTold) : subscriptions.whenTold()
  }
}
