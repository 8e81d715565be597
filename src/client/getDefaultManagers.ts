import { DEV } from '../base/env.ts'
import { type DevToolsConfig, DevToolsManager } from '../managers/DevToolsManager.ts'
import type { Globals } from '../managers/globals.ts'
import { FocusManager, type FocusManagerOptions } from '../managers/FocusManager.ts'
import type { Manager } from '../managers/Manager.ts'
import { NetworkManager, type NetworkManagerOptions } from '../managers/NetworkManager.ts'
import type { PollingOptions } from '../managers/PollingSubscription.ts'
import { type SubscriptionConstructor, SubscriptionManager } from '../managers/SubscriptionManager.ts'

/** For each default manager an instance or its options; `null` leaves it out. */
export interface DefaultManagerOptions {
  readonly networkManager?: NetworkManager | NetworkManagerOptions | null | undefined
  /** A class creates subscriptions instead of polling. */
  readonly subscriptionManager?: Manager | SubscriptionConstructor | PollingOptions | null | undefined
  /** Only in browsers. */
  readonly focusManager?: Manager | FocusManagerOptions | null | undefined
  /** Options count in development alone; an instance stays in production. */
  readonly devToolsManager?: Manager | DevToolsConfig | null | undefined
}

/**
 * The managers that a store has when it is given none: requests, polling, in browsers refetching on focus, and in development the
 * developer tools.
 *
 * @example
 * createStore({ managers: [new LogoutManager(), ...getDefaultManagers()] })
 * @see docs/api/getDefaultManagers.md
 */
export function getDefaultManagers({
  networkManager,
  subscriptionManager,
  focusManager,
  devToolsManager,
}: DefaultManagerOptions = {}): Manager[] {
  if (DEV && networkManager === null) {
    console.error('A store without a NetworkManager sends nothing, so "networkManager: null" is ignored.')
  }
  const network = networkManager instanceof NetworkManager ? networkManager : new NetworkManager(networkManager ?? {})
  const managers: Manager[] = [network]
  if (isManager(devToolsManager)) {
    managers.unshift(devToolsManager)
  } else if (DEV && devToolsManager !== null) {
    managers.unshift(new DevToolsManager(devToolsManager, (action) => network.skipLogging(action)))
  }
  if (isManager(subscriptionManager)) {
    managers.push(subscriptionManager)
  } else if (typeof subscriptionManager === 'function') {
    managers.push(new SubscriptionManager(subscriptionManager))
  } else if (subscriptionManager !== null) {
    managers.push(new SubscriptionManager(undefined, subscriptionManager))
  }
  if (isManager(focusManager)) {
    managers.push(focusManager)
  } else if (focusManager !== null && (globalThis as Globals).document) {
    managers.push(new FocusManager(focusManager))
  }
  return managers
}

function isManager(given: object | null | undefined): given is Manager {
  return typeof (given as Partial<Manager> | undefined)?.cleanup === 'function'
}
