import {
  Avatar,
  Badge,
  Button,
  Group,
  Popover,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type ErrorFallbackProps, useController, useLoading, useSuspense } from 'restitch/react'
import { STATUS_LABELS } from '../parts/badges.tsx'
import { Bar, Legend, STATUS_COLORS } from '../parts/charts/Bar.tsx'
import { FailedTogether, OneFailure } from '../parts/charts/FailedTogether.tsx'
import { Section, SectionBoundary, SectionFailed } from '../parts/charts/Section.tsx'
import { TileSkeleton } from '../parts/charts/Tile.tsx'
import { Weekly } from '../parts/charts/Weekly.tsx'
import { STATUSES } from '../resources/issues.ts'
import { type Person, PersonResource } from '../resources/people.ts'
import { type Project, ProjectResource } from '../resources/projects.ts'
import { formatNumber } from '../parts/format.ts'

/** Project numbers from GraphQL: its responses are stored in the same rows as those of REST. */
export function Stats({ id }: { id?: string }): ReactNode {
  return (
    <Stack>
      <div>
        {id === undefined && (
          <Title order={1} size="h2">
            Statistics
          </Title>
        )}
        <Text size="sm" maw={640}>
          The numbers come from GraphQL, projects and people from REST, and both are in one store. Rename a project or a
          person: every screen shows the new name at once.
        </Text>
      </div>
      <SectionBoundary fallback={<TileSkeleton />}>
        {id === undefined ? <Projects /> : <OneProject id={id} />}
      </SectionBoundary>
    </Stack>
  )
}

function Projects(): ReactNode {
  const projects = useSuspense(ProjectResource.getList)
  return (
    <OneFailure>
      <SimpleGrid type="container" cols={{ base: 1, '700px': 2 }} spacing="md">
        {projects.map((project) => (
          <ProjectCard key={project.pk()} project={project} failed={FailedTogether} />
        ))}
      </SimpleGrid>
    </OneFailure>
  )
}

function OneProject({ id }: { id: string }): ReactNode {
  return <ProjectCard project={useSuspense(ProjectResource.get, { id })} />
}

interface ProjectCardProps {
  readonly project: Project
  readonly failed?: ComponentType<ErrorFallbackProps>
}

function ProjectCard({ project, failed = SectionFailed }: ProjectCardProps): ReactNode {
  return (
    <Section title={<ProjectName project={project} />} height={520} failed={failed}>
      <ProjectStats id={project.id} />
    </Section>
  )
}

function ProjectName({ project: { id, key, name } }: { project: Project }): ReactNode {
  const controller = useController()
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge variant="default">{key}</Badge>
      <Rename
        name={name}
        label={`Rename project ${name}`}
        onRename={(next) => controller.fetch(ProjectResource.rename, { id, name: next })}
      />
    </Group>
  )
}

function ProjectStats({ id }: { id: string }): ReactNode {
  const { projectStats: project } = useSuspense(ProjectResource.stats, { id })
  const counts = new Map(project.byStatus.map(({ status, count }) => [status, count]))
  const parts = STATUSES.map((status) => ({
    label: STATUS_LABELS[status],
    color: STATUS_COLORS[status],
    value: counts.get(status) ?? 0,
  }))
  const most = Math.max(...project.byPerson.map(({ open, done }) => open + done), 1)
  return (
    <Stack gap="md">
      <Group gap="lg">
        <Figure value={project.open} label="open" />
        <Figure value={project.done} label="done" />
      </Group>
      <Stack gap={6}>
        <Bar label="By status" parts={parts} />
        <Legend parts={parts} />
      </Stack>
      <Weekly project={project} height={140} />
      <Stack gap={6}>
        <Legend
          parts={[
            { label: 'Open', color: 'blue' },
            { label: 'Done', color: 'teal' },
          ]}
        />
        {project.byPerson.map(({ person, open, done }) => (
          <PersonLine key={person.id} person={person} open={open} done={done} most={most} />
        ))}
      </Stack>
    </Stack>
  )
}

function Figure({ value, label }: { value: number; label: string }): ReactNode {
  return (
    <Text span fz={28} fw={700} lh={1}>
      {formatNumber(value)}{' '}
      <Text span size="sm" fw={400}>
        {label}
      </Text>
    </Text>
  )
}

interface PersonLineProps {
  readonly person: Person
  readonly open: number
  readonly done: number
  readonly most: number
}

function PersonLine({ person: { id, name, avatar }, open, done, most }: PersonLineProps): ReactNode {
  const controller = useController()
  const parts = [
    { label: 'Open', color: 'blue', value: open },
    { label: 'Done', color: 'teal', value: done },
  ]
  return (
    <Group gap="xs" wrap="nowrap">
      <Avatar src={avatar} alt="" size={24} />
      <div style={{ flex: '0 0 min(44%, 200px)', minWidth: 0, fontSize: 'var(--mantine-font-size-sm)' }}>
        <Rename
          name={name}
          label={`Rename ${name}`}
          onRename={(next) => controller.fetch(PersonResource.partialUpdate, { id }, { name: next })}
        />
      </div>
      <div style={{ flex: 1 }}>
        <Bar label={name} parts={parts} total={most} />
      </div>
    </Group>
  )
}

interface RenameProps {
  readonly name: string
  readonly label: string
  readonly onRename: (name: string) => Promise<unknown>
}

/** A name to edit. It closes at once, since the new name is shown at once, and opens again if the request fails. */
function Rename({ name, label, onRename }: RenameProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState('')
  const [save, , error] = useLoading(async () => {
    setOpen(false)
    try {
      await onRename(draft.trim())
    } catch (thrown) {
      setOpen(true)
      throw thrown
    }
  }, [draft, onRename])
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus withArrow shadow="md">
      <Popover.Target>
        <UnstyledButton
          aria-label={label}
          onClick={() => {
            setDraft(name)
            setOpen(!isOpen)
          }}
          style={{ display: 'flex', alignItems: 'center', gap: 4, maxWidth: '100%', fontSize: 'inherit' }}
        >
          <Text span inherit truncate>
            {name}
          </Text>
          <IconPencil size={14} aria-hidden style={{ flex: 'none' }} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="New name"
              required
              data-autofocus
              value={draft}
              error={error?.message}
              onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            />
            <Button type="submit">Save</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
