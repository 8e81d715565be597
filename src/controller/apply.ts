import { when } from '../base/when.ts'
import type { ActionTypes, Dispatch } from './actions.ts'
import { EXPIREALL, FETCH, GC, INVALIDATE, INVALIDATEALL, RESET, SET, SET_RESPONSE } from './actionTypes.ts'
import type { Controller } from './Controller.ts'

/** The end of the chain: does to the store what an action says, and ignores actions it does not know. */
export function createApply({ core: { driver, requests, views } }: Controller): Dispatch<ActionTypes> {
  const { whenTold } = driver.store.subscriptions

  return (action) => {
    switch (action.type) {
      case FETCH:
        requests.open.get(action.meta.requestId)?.show()
        break
      case SET_RESPONSE:
        requests.respond(action)
        break
      case SET:
        driver.set(action.schema, action.args, action.value)
        break
      case INVALIDATE:
        requests.outdate((key) => key === action.key)
        driver.invalidate(action.key)
        break
      case INVALIDATEALL:
        requests.outdate(action.testKey)
        driver.invalidateAll(action)
        break
      case EXPIREALL:
        views.repeatFailed(action.testKey)
        driver.expireAll(action)
        break
      case RESET:
        requests.reset()
        break
      case GC:
        return Promise.resolve(when(driver.collector(), (collector) => collector.collect(action))).then(whenTold)
    }
    return whenTold()
  }
}
