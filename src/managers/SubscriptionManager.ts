import { DEV } from '../base/env.ts'
import type { SubscribeAction } from '../requests/actions.ts'
import { SUBSCRIBE, UNSUBSCRIBE } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from './Manager.ts'
import { type PollingOptions, PollingSubscription, type Subscription } from './PollingSubscription.ts'

/** The class that a SubscriptionManager instantiates for each key. */
export type SubscriptionConstructor<O = any> = new (
  action: SubscribeAction,
  controller: Controller,
  options?: O,
) => Subscription

/**
 * Keeps subscribed endpoints up to date: by polling, or with another class of subscription.
 *
 * @example
 * new SubscriptionManager(PollingSubscription, { pollWhenHidden: true })
 * @see docs/api/SubscriptionManager.md
 */
export class SubscriptionManager<O = any> implements Manager {
  declare readonly middleware: Middleware
  /** Those of the store that was bound last. */
  declare protected subscriptions: Map<string, Subscription>

  /**
   * @param Class makes the subscriptions; polling by default
   * @param options passed to each subscription, after its action and the controller
   */
  constructor(Class: SubscriptionConstructor<O> = PollingSubscription as SubscriptionConstructor<O>, options?: O) {
    this.subscriptions = new Map()
    this.middleware = (controller) => {
      const subscriptions = (this.subscriptions = new Map<string, Subscription>())
      return (next) => (action) => {
        if (action.type !== SUBSCRIBE && action.type !== UNSUBSCRIBE) {
          return next(action)
        }
        const { key, endpoint, type } = action
        const { pollFrequency = (options as PollingOptions | undefined)?.pollFrequency } = endpoint
        const known = subscriptions.get(key)
        try {
          if (type === UNSUBSCRIBE) {
            if (known?.remove(pollFrequency)) {
              subscriptions.delete(key)
            } else if (DEV && !known) {
              console.error(`"${key}" was unsubscribed from, but nobody had subscribed to it.`)
            }
          } else if (known) {
            known.add(pollFrequency, action)
          } else {
            subscriptions.set(key, new Class(action, controller, options))
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
    this.subscriptions.forEach((subscription) => subscription.init?.())
  }

  cleanup(): void {
    this.subscriptions.forEach((subscription) => subscription.cleanup())
  }
}
