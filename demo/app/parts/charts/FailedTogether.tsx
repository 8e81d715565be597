import { Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { ErrorFallbackProps } from 'restitch/react'
import { SectionFailed } from './Section.tsx'

type Report = (failure: ErrorFallbackProps) => () => void

const Reports = createContext<Report>(() => () => {})

/** Shows one message for all sections inside that failed, instead of one in each. Loaded sections stay. */
export function OneFailure({ children }: { children: ReactNode }): ReactNode {
  const [failures, setFailures] = useState<readonly ErrorFallbackProps[]>([])
  const [report] = useState<Report>(() => (failure: ErrorFallbackProps) => {
    setFailures((all) => [...all, failure])
    return () => setFailures((all) => all.filter((one) => one !== failure))
  })
  const [first] = failures
  return (
    <Reports value={report}>
      {first && (
        <SectionFailed
          error={first.error}
          resetErrorBoundary={() => failures.forEach(({ resetErrorBoundary }) => resetErrorBoundary())}
        />
      )}
      {children}
    </Reports>
  )
}

/** A failed section inside `OneFailure`, which says why. */
export function FailedTogether({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  const report = useContext(Reports)
  useEffect(() => report({ error, resetErrorBoundary }), [report, error, resetErrorBoundary])
  return (
    <Text size="sm" c="dimmed">
      Not loaded.
    </Text>
  )
}
