import { createContext } from 'react'
import type { Store } from 'restitch'

/** On the server the store of one request, in the browser that of the page. */
export const StoreContext = createContext<Store>(null!)
