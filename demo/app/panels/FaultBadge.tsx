import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Faults } from './faults.ts'
import { useFaults } from './useFaults.ts'
import classes from './BreakIt.module.css'

/** Says in the header which faults are on. It leads to the panel that turns them off. */
export function FaultBadge({ onClick }: { onClick: () => void }): ReactNode {
  const faults = useFaults()
  const words = faults && describe(faults)
  if (!words) {
    return null
  }
  const Icon = faults.offline ? IconPlugConnectedX : IconAlertTriangle
  return (
    <UnstyledButton
      className={classes['badge']}
      data-offline={faults.offline || undefined}
      aria-label={`${words}, by “Break it”. Open the panel.`}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
      <span className={classes['words']}>{words}</span>
    </UnstyledButton>
  )
}

function describe({ offline, errorRate, latency, jitter, reorder, slowBody }: Faults): string | undefined {
  if (offline) {
    return 'Offline'
  }
  const isSlow = latency || jitter || reorder || slowBody
  if (errorRate) {
    return isSlow ? 'Slow and faulty' : 'Faulty'
  }
  return isSlow ? 'Slow' : undefined
}
