import type { CSSProperties, ReactNode } from 'react'
import type { Status } from '../../resources/issues.ts'
import classes from './Chart.module.css'
import { formatNumber } from '../format.ts'

export const STATUS_COLORS: Record<Status, string> = {
  backlog: 'gray',
  todo: 'blue',
  doing: 'yellow',
  review: 'grape',
  done: 'teal',
}

export interface Part {
  readonly label: string
  readonly color: string
  readonly value: number
}

/** Parts of a whole in one line. `total` leaves room, so that several bars can be compared. */
export function Bar({ label, parts, total }: { label: string; parts: readonly Part[]; total?: number }): ReactNode {
  const whole = total ?? parts.reduce((sum, { value }) => sum + value, 0)
  const words = parts.map((part) => `${part.label} ${formatNumber(part.value)}`).join(', ')
  return (
    <div className={classes['bar']} role="img" aria-label={`${label}: ${words}`} title={words}>
      {parts.map((part) => (
        <div
          key={part.label}
          style={{
            width: `${whole > 0 ? (part.value / whole) * 100 : 0}%`,
            background: `var(--mantine-color-${part.color}-6)`,
          }}
        />
      ))}
    </div>
  )
}

/** Says which colour is what. */
export function Legend({ parts }: { parts: readonly (Omit<Part, 'value'> & Partial<Part>)[] }): ReactNode {
  return (
    <div className={classes['legend']}>
      {parts.map(({ label, color, value }) => (
        <span key={label} style={{ '--dot': `var(--mantine-color-${color}-6)` } as CSSProperties}>
          {label} {value !== undefined && formatNumber(value)}
        </span>
      ))}
    </div>
  )
}
