import { useEffect, useState, useSyncExternalStore } from 'react'
import type { State } from 'restitch'
import { useController } from 'restitch/react'
import { insideSignal } from '../InsideManager.ts'

/** The committed state, again after each action. */
export function useInside(): State {
  const controller = useController()
  useSyncExternalStore(insideSignal.subscribe, insideSignal.version)
  return controller.getState()
}

/** Store time, for ages that grow on the screen. */
export function useNow(every = 1_000): number {
  const { clock } = useController()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), every)
    return () => clearInterval(timer)
  }, [every])
  return clock.now()
}
