import { useSyncExternalStore } from 'react'

let toasts: readonly string[] = []
const listeners = new Set<() => void>()

export function toast(text: string): void {
  toasts = [...toasts, text]
  for (const listener of listeners) listener()
}

export function useToasts(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}
