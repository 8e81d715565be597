import { Menu, MultiSelect, Select, type SelectProps } from '@mantine/core'
import type { ReactElement } from 'react'
import { useSuspense } from 'restitch/react'
import { STATUSES, type Status } from '../resources/issues.ts'
import { Labels } from '../resources/labels.ts'
import { PersonResource } from '../resources/people.ts'
import { ProjectResource } from '../resources/projects.ts'
import { PRIORITIES, STATUS_LABELS, StatusIcon } from './badges.tsx'

type PickerProps = Omit<SelectProps, 'data' | 'onChange'> & { onChange: (value: string | null) => void }

export const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))
const PRIORITY_OPTIONS = PRIORITIES.map((label, value) => ({ value: String(value), label }))

export function StatusPicker(props: PickerProps) {
  return <Select label="Status" allowDeselect={false} data={STATUS_OPTIONS} {...props} />
}

export function PriorityPicker(props: PickerProps) {
  return <Select label="Priority" allowDeselect={false} data={PRIORITY_OPTIONS} {...props} />
}

/** All people, by name; a new name appears at once. */
export function PersonPicker({ extra = [], ...props }: PickerProps & { extra?: { value: string; label: string }[] }) {
  const people = useSuspense(PersonResource.getList)
  const data = people.map(({ id, name }) => ({ value: id, label: name }))
  return <Select label="Person" allowDeselect={false} searchable data={[...extra, ...data]} {...props} />
}

export function ProjectPicker(props: PickerProps) {
  const projects = useSuspense(ProjectResource.getList)
  return (
    <Select
      label="Project"
      allowDeselect={false}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  )
}

export function LabelPicker(props: PickerProps) {
  const labels = useSuspense(Labels.useGetList())
  return (
    <Select
      label="Label"
      allowDeselect={false}
      searchable
      data={labels.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  )
}

export function LabelsPicker({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }) {
  const labels = useSuspense(Labels.useGetList())
  const data = labels.map(({ id, name }) => ({ value: id, label: name }))
  return <MultiSelect label="Labels" searchable hidePickedOptions data={data} value={value} onChange={onChange} />
}

/** A menu instead of a drag, for keyboards and for lists. */
export function StatusMenu({
  status,
  onMove,
  children,
}: {
  status: Status
  onMove: (status: Status) => void
  children: ReactElement
}) {
  return (
    <Menu withinPortal position="bottom-end" shadow="md">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Move to…</Menu.Label>
        {STATUSES.map((to) => (
          <Menu.Item
            key={to}
            disabled={to === status}
            leftSection={<StatusIcon status={to} />}
            onClick={() => onMove(to)}
          >
            {STATUS_LABELS[to]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
