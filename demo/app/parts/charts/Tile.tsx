import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number with a name. */
export function Tile({ label, color, children }: { label: string; color: string; children: ReactNode }): ReactNode {
  return (
    <Paper withBorder radius="md" p="md" style={{ borderInlineStart: `4px solid var(--mantine-color-${color}-6)` }}>
      <Text size="sm">{label}</Text>
      <Text component="div" fz={28} fw={700} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </Paper>
  )
}

export function TileSkeleton(): ReactNode {
  return <Skeleton h={90} radius="md" aria-label="Loading" />
}
