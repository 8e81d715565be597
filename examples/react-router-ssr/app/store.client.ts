import { createStore } from 'restitch'
import { awaitInitialData } from 'restitch/react/ssr'

/** The store of the browser, with what the server has fetched. React Router leaves `.client` files out of the server. */
export const store = createStore({ initialState: await awaitInitialData() })
