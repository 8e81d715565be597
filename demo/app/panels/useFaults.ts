import { useDLE, useSubscription } from 'restitch/react'
import { type Faults, getFaults } from './faults.ts'

/** The faults that are on, as soon as they are known. */
export function useFaults(): Faults | undefined {
  useSubscription(getFaults)
  return useDLE(getFaults).data
}
