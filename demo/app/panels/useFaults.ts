import { useQuery } from 'restitch/react'
import { Faults, FAULTS_ID } from './faults.ts'

/** The faults that are on, as soon as they are known. */
export function useFaults(): Faults | undefined {
  return useQuery(Faults, FAULTS_ID)
}
