// The Redux entry, by the way that docs/guide/from-data-client.md shows: a store made outside of the provider.
import { createElement, useState } from 'react'
import { createStore } from 'restitch'
import { DataProvider as Provider } from 'restitch/react'

export function DataProvider({ children, managers, initialState, Controller, gcPolicy }) {
  const [store] = useState(() => createStore({ managers, initialState, Controller, gcPolicy }))
  return createElement(Provider, { store }, children)
}
