import { Alert, Button, Group, Paper, Skeleton, Stack, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { AsyncBoundary, type ErrorFallbackProps } from 'restitch/react'
import { useRecoveries } from '../recovery.tsx'

interface SectionProps {
  readonly title: ReactNode
  readonly aside?: ReactNode
  /** Of the loaded content, so that nothing jumps when it appears. */
  readonly height: number
  /** Another form of the message, such as `FailedTogether`. */
  readonly failed?: ComponentType<ErrorFallbackProps> | undefined
  readonly children: ReactNode
}

/** A part of a screen that loads, fails and recovers on its own. */
export function Section({ title, aside, height, failed, children }: SectionProps): ReactNode {
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {aside}
      </Group>
      <SectionBoundary fallback={<Skeleton h={height} aria-label="Loading" />} failed={failed}>
        {children}
      </SectionBoundary>
    </Paper>
  )
}

interface SectionBoundaryProps {
  readonly fallback: ReactNode
  /** Another form of the message, such as `SmallFailed`. */
  readonly failed?: ComponentType<ErrorFallbackProps> | undefined
  readonly children: ReactNode
}

/** Loads again by itself once the server works. */
export function SectionBoundary({ fallback, failed = SectionFailed, children }: SectionBoundaryProps): ReactNode {
  return (
    <AsyncBoundary fallback={fallback} errorComponent={failed} resetKeys={[useRecoveries()]}>
      {children}
    </AsyncBoundary>
  )
}

export function SectionFailed({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This could not be loaded">
      <Stack align="flex-start" gap="sm">
        {error.message}
        <Button size="xs" variant="default" onClick={resetErrorBoundary}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}

/** For places with room for a number only. */
export function SmallFailed({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  return (
    <Button size="compact-sm" color="red" variant="light" title={error.message} onClick={resetErrorBoundary}>
      Try again
    </Button>
  )
}
