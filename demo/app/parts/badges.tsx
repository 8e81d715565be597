import { Avatar, type AvatarProps, Badge } from '@mantine/core'
import {
  IconAntennaBars1,
  IconAntennaBars2,
  IconAntennaBars3,
  IconAntennaBars4,
  IconAntennaBars5,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleDotted,
  IconProgress,
  IconUserCircle,
} from '@tabler/icons-react'
import type { Status } from '../resources/issues.ts'
import type { Label } from '../resources/labels.ts'
import type { Person } from '../resources/people.ts'

export const STATUS_LABELS: Record<Status, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  doing: 'In progress',
  review: 'In review',
  done: 'Done',
}
const STATUS_ICONS = {
  backlog: { Icon: IconCircleDotted, color: 'gray' },
  todo: { Icon: IconCircle, color: 'gray' },
  doing: { Icon: IconProgress, color: 'yellow' },
  review: { Icon: IconCircleDashed, color: 'grape' },
  done: { Icon: IconCircleCheckFilled, color: 'teal' },
}

export function StatusIcon({ status, size = 18 }: { status: Status; size?: number }) {
  const { Icon, color } = STATUS_ICONS[status]
  return <Icon size={size} color={`var(--mantine-color-${color}-6)`} aria-hidden style={{ flexShrink: 0 }} />
}

export const PRIORITIES = ['No priority', 'Low', 'Medium', 'High', 'Urgent']
const BARS = [IconAntennaBars1, IconAntennaBars2, IconAntennaBars3, IconAntennaBars4, IconAntennaBars5]

export function PriorityIcon({ priority, size = 18 }: { priority: number; size?: number }) {
  const Icon = BARS[priority] ?? IconAntennaBars1
  const color = priority === 4 ? 'var(--mantine-color-red-6)' : 'var(--mantine-color-dimmed)'
  return (
    <Icon
      size={size}
      color={color}
      role="img"
      aria-label={`Priority: ${PRIORITIES[priority]}`}
      style={{ flexShrink: 0 }}
    />
  )
}

export function PersonAvatar({ person, ...props }: { person: Person | null } & AvatarProps) {
  const name = person?.name ?? 'Unassigned'
  return (
    <Avatar size="sm" src={person?.avatar ?? null} alt={name} title={name} {...props}>
      {person ? undefined : <IconUserCircle size={18} aria-label={name} />}
    </Avatar>
  )
}

/** For `Img`, which shows it once the image has loaded. */
export function Portrait({ src, ...props }: { src?: string; alt: string; size?: string }) {
  return <Avatar src={src ?? null} {...props} />
}

export function LabelBadge({ label }: { label: Label }) {
  return (
    <Badge variant="dot" color={label.color} size="sm" tt="none" fw={500}>
      {label.name}
    </Badge>
  )
}
