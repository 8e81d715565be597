import { Button, EmptyState, Paper, Title } from '@mantine/core'
import { IconCloudOff, IconZoomQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { AsyncBoundary, type ErrorFallbackProps } from 'restitch/react'
import { Link } from 'wouter'
import { useRecoveries } from './recovery.tsx'

/**
 * A part of a screen that loads on its own: with a skeleton of its shape, and a button to try again after a failure. It
 * tries again by itself once the server works.
 */
export function Boundary({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return (
    <AsyncBoundary
      fallback={<div aria-busy="true">{fallback}</div>}
      errorComponent={Failed}
      resetKeys={[useRecoveries()]}
    >
      {children}
    </AsyncBoundary>
  )
}

export function Failed({ error, resetErrorBoundary }: ErrorFallbackProps) {
  const isMissing = 'status' in error && error.status === 404
  return (
    <Paper withBorder p="xl" role="alert">
      <EmptyState
        size="sm"
        icon={isMissing ? <IconZoomQuestion /> : <IconCloudOff />}
        title={isMissing ? 'Not found' : 'This could not be loaded'}
        description={error.message}
      >
        <EmptyState.Actions>
          <Button variant="default" onClick={resetErrorBoundary}>
            Try again
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </Paper>
  )
}

/** For addresses without a screen. */
export function Nowhere() {
  return (
    <Paper withBorder p="xl">
      <title>Not found</title>
      <EmptyState
        size="sm"
        icon={<IconZoomQuestion />}
        title={
          <Title order={1} size="h4">
            Page not found
          </Title>
        }
        description="Check the address, or go back to the board."
      >
        <EmptyState.Actions>
          <Button component={Link} href="/" variant="default">
            Go to the board
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </Paper>
  )
}
