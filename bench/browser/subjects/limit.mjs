// Written by hand: a Map of rows, and a subscription for each.
import { createElement, Fragment, useSyncExternalStore } from 'react'

function createCell(value) {
  const listeners = new Set()
  const cell = {
    value,
    get: () => cell.value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      cell.value = next
      for (const listener of listeners) {
        listener()
      }
    },
  }
  return cell
}

export function create() {
  const cells = new Map()
  let list
  return {
    Provider: ({ children }) => createElement(Fragment, null, children),
    fill(rows, isList) {
      if (isList) {
        list = createCell(rows)
      } else {
        for (const row of rows) {
          cells.set(row.id, createCell(row))
        }
      }
    },
    useCell(id) {
      const { subscribe, get } = cells.get(id)
      return useSyncExternalStore(subscribe, get)
    },
    useList: () => useSyncExternalStore(list.subscribe, list.get),
    set(fields) {
      if (list) {
        list.set(list.value.map((row) => (row.id === fields.id ? { ...row, ...fields } : row)))
      } else {
        const cell = cells.get(fields.id)
        cell.set({ ...cell.value, ...fields })
      }
    },
    setAuthor(fields) {
      const author = { ...cells.values().next().value.value.author, ...fields }
      for (const cell of cells.values()) {
        cell.set({ ...cell.value, author })
      }
    },
  }
}
