import { currentStore } from '$lib/store'

/** Loaders and components of a page share the store. */
export const load = () => ({ store: currentStore() })
