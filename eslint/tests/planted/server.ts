import { createStore } from 'restitch'
import { renderToString } from 'react-dom/server'

const store = createStore()
export const handle = (): string => renderToString(String(store.controller.getState()))
