import { useSearchParams } from 'wouter'
import type { IssueFilter } from '../resources/issues.ts'

/** The filter that the address says, so that it can be kept, shared and gone back to. */
export function useIssueFilter(): [IssueFilter, (change: Partial<Record<keyof IssueFilter, string | null>>) => void] {
  const [params, setParams] = useSearchParams()
  const filter = Object.fromEntries(params) as IssueFilter
  const change = (fields: object) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        for (const [name, value] of Object.entries(fields)) {
          if (value) {
            next.set(name, String(value))
          } else {
            next.delete(name)
          }
        }
        return next
      },
      { replace: true },
    )
  return [filter, change]
}
