// The same by hand, with its rows found through a context as every library with a provider has to.
import { createContext, createElement, useContext } from 'react'
import { create as createLimit } from './limit.mjs'

const Context = createContext(null)

export function create() {
  const limit = createLimit()
  return {
    ...limit,
    Provider: ({ children }) => createElement(Context.Provider, { value: limit }, children),
    useCell: (id) => useContext(Context).useCell(id),
    useList: () => useContext(Context).useList(),
  }
}
