import { DEV } from '../base/env.ts'
import type { SubscribeAction } from '../controller/actions.ts'
import { SUBSCRIBE, UNSUBSCRIBE } from '../controller/actionTypes.ts'
import type { Middleware } from '../controller/chain.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from './Manager.ts'
import { PollingSubscription, type Subscription } from './PollingSubscription.ts'

/** What a SubscriptionManager makes for each key. */
export type SubscriptionConstructor<O = any> = new (
  action: SubscribeAction,
  controller: Controller,
  options?: O,
) => Subscription

/**
 * Keeps up to date what somebody subscribed to, by polling unless it is told otherwise.
 *
 * @example
 * new SubscriptionManager(PollingSubscription, { pollWhenHidden: true })
 * @see docs/api/SubscriptionManager.md
 */
export class SubscriptionManager<O = any> implements Manager {
  declare readonly middleware: Middleware
  /** Those of the store that was bound last. */
  declare protected subscriptions: Map<string, Subscription>

  /** @param options what each subscription is given beside its action and the controller */
  constructor(Class: SubscriptionConstructor<O> = PollingSubscription as SubscriptionConstructor, options?: O) {
    this.subscriptions = new Map()
    this.middleware = (controller) => {
      const subscriptions = (this.subscriptions = new Map<string, Subscription>())
      return (next) => (action) => {
        const isNew = action.type === SUBSCRIBE
        if (!isNew && action.type !== UNSUBSCRIBE) {
          return next(action)
        }
        const { key, endpoint } = action
        const { pollFrequency } = endpoint
        const known = subscriptions.get(key)
        try {
          if (isNew) {
            if (known) {
              known.add(pollFrequency, action)
            } else {
              subscriptions.set(key, new Class(action, controller, options))
            }
          } else if (known?.remove(pollFrequency)) {
            subscriptions.delete(key)
          } else if (DEV && !known) {
            console.error(`"${key}" was unsubscribed from, but nobody had subscribed to it.`)
          }
        } catch (error) {
          // A screen that is not kept up to date is better than none.
          console.error(error)
        }
        return Promise.resolve()
      }
    }
  }

  init(): void {
    for (const subscription of this.subscriptions.values()) {
      subscription.init?.()
    }
  }

  cleanup(): void {
    for (const subscription of this.subscriptions.values()) {
      subscription.cleanup()
    }
  }
}
