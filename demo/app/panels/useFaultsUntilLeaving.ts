import { useEffect } from 'react'

/** Tells the server that this window leaves: without another window it ends the faults. A reload keeps them. */
export function useFaultsUntilLeaving(): void {
  useEffect(() => {
    const leave = () => void navigator.sendBeacon('/api/faults/leave')
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
}
