import type { Manager } from '../managers/Manager.ts'
import { PersistManager } from './PersistManager.ts'
import type { PersistOptions } from './PersistOptions.ts'

/**
 * Keeps the data of a store in a database, for the next visit.
 *
 * @example
 * const store = createStore({ managers: [persist({ name: 'shop', version: 3, user: () => localStorage.getItem('userId') }), ...getDefaultManagers()] })
 * @see docs/api/persist.md
 */
export function persist(options: PersistOptions = {}): Manager {
  return new PersistManager(options)
}
