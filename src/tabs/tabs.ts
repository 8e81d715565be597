import type { Manager } from '../managers/Manager.ts'
import { TabsManager } from './TabsManager.ts'
import type { TabsOptions } from './TabsOptions.ts'

/**
 * Keeps the tabs of one user in agreement: what one of them changes or fetches, the others show.
 *
 * @example
 * const store = createStore({ managers: [tabs(), persist({ name: 'shop' }), ...getDefaultManagers()] })
 * @see docs/api/tabs.md
 */
export function tabs(options: TabsOptions = {}): Manager {
  return new TabsManager(options)
}
