import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useController, useMutating, useOutbox } from 'restitch/react'
import { setFaults } from '../panels/faults.ts'
import { useFaults } from '../panels/useFaults.ts'
import { useFaultsPoll } from '../panels/useFaultsPoll.ts'

const Recoveries = createContext(0)

/** Changes when the server works again. A boundary with it among its `resetKeys` then loads again. */
export function useRecoveries(): number {
  return useContext(Recoveries)
}

/** Notices that the server works again: sends what waits in the outbox, and refetches everything on the screen that has failed. */
export function RecoveryProvider({ children }: { children: ReactNode }): ReactNode {
  const { expireAll, getState } = useController()
  const { pending, retry } = useOutbox()
  const waiting = useRef(pending)
  waiting.current = pending
  const [recoveries, setRecoveries] = useState(0)
  useFaultsPoll()
  const faults = useFaults()
  const isFailing = faults !== undefined && (faults.offline || faults.errorRate > 0)
  // The switch moves before the server knows it.
  const isChanging = useMutating(setFaults) > 0
  const wasFailing = useRef(false)
  useEffect(() => {
    if (isChanging) {
      return
    }
    if (wasFailing.current && !isFailing) {
      recover()
    }
    wasFailing.current = isFailing
  }, [isFailing, isChanging])
  useEffect(() => {
    addEventListener('online', recover)
    return () => removeEventListener('online', recover)
  }, [])

  function recover(): void {
    setRecoveries((count) => count + 1)
    waiting.current.forEach(({ id }) => void retry(id))
    void expireAll({ testKey: (key) => getState().meta[key]?.error !== undefined })
  }
  return <Recoveries value={recoveries}>{children}</Recoveries>
}
