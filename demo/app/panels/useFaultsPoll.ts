import { useEffect } from 'react'
import { useController, useMutating } from 'restitch/react'
import { type FaultFields, Faults, FAULTS_ID, FAULTS_PATH, setFaults } from './faults.ts'

const INTERVAL = 5_000

/**
 * Keeps the faults in the store up to date, since another window may change them. It fetches without an endpoint: the switches are no part of
 * the app, whose requests the devtools list.
 */
export function useFaultsPoll(): void {
  const controller = useController()
  // A poll that crosses a change is older than its response.
  const isChanging = useMutating(setFaults) > 0
  useEffect(() => {
    if (isChanging) {
      return undefined
    }
    let isOver = false
    const poll = async (): Promise<void> => {
      if (document.hidden) {
        return
      }
      const faults = await readFaults()
      const known = controller.get(Faults, FAULTS_ID)
      if (faults && !isOver && !(known && isEqual(known, faults))) {
        void controller.set(Faults, FAULTS_ID, faults)
      }
    }
    void poll()
    const timer = setInterval(() => void poll(), INTERVAL)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [controller, isChanging])
}

/** Nothing, if the server cannot be reached: the next poll may find it again. */
async function readFaults(): Promise<FaultFields | undefined> {
  try {
    const response = await fetch(FAULTS_PATH)
    return response.ok ? ((await response.json()) as FaultFields) : undefined
  } catch {
    return undefined
  }
}

function isEqual(known: Faults, faults: FaultFields): boolean {
  return Object.entries(faults).every(([name, value]) => known[name as keyof FaultFields] === value)
}
