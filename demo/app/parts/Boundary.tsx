import { Button, EmptyState, Paper } from '@mantine/core'
import { IconCloudOff, IconZoomQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { AsyncBoundary, type ErrorFallbackProps } from 'restitch/react'

/** A part of a screen that loads by itself: a skeleton of its shape meanwhile, and a way to try again when it fails. */
export function Boundary({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return (
    <AsyncBoundary fallback={<div aria-busy="true">{fallback}</div>} errorComponent={Failed}>
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
        title={isMissing ? 'It is not here' : 'This could not be loaded'}
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
