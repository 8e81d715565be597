import { useEffect, useRef } from 'react'
import { createSignal, type Signal } from './signal.ts'

/** How often the components of one name were rendered. */
export interface Mark {
  readonly name: string
  renders: number
  /** Renders since the last `clearMarks`. */
  recent: number
  at: number
  readonly instances: Set<object>
}

const marks = new Map<string, Mark>()

/** Notified of every render; does nothing without listeners. */
export const marksSignal: Signal = createSignal()

/** Counts the renders of a component that reached the screen, for the panel "Inside". */
export function useMark(name: string): void {
  const counted = useRef<object>(null)
  // Strict Mode runs an effect twice for one render: the same object shows that it was counted.
  const render = {}
  useEffect(() => {
    if (counted.current === render) {
      return
    }
    counted.current = render
    const mark = markOf(name)
    mark.renders += 1
    mark.recent += 1
    mark.at = Date.now()
    marksSignal.touch()
  })
  useEffect(() => {
    const instance = {}
    markOf(name).instances.add(instance)
    return () => {
      markOf(name).instances.delete(instance)
      marksSignal.touch()
    }
  }, [name])
}

/** All marks, the one that was rendered last first. */
export function readMarks(): Mark[] {
  return [...marks.values()].sort((a, b) => b.at - a.at)
}

/** Restarts the recent counts. */
export function clearMarks(): void {
  for (const mark of marks.values()) {
    mark.recent = 0
  }
  marksSignal.touch()
}

function markOf(name: string): Mark {
  let mark = marks.get(name)
  if (!mark) {
    marks.set(name, (mark = { name, renders: 0, recent: 0, at: 0, instances: new Set() }))
  }
  return mark
}
