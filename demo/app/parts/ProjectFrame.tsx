import { Group, Skeleton, Tabs, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDLE, useSuspense } from 'restitch/react'
import { useLocation } from 'wouter'
import { IssueResource } from '../resources/issues.ts'
import { ProjectResource } from '../resources/projects.ts'
import { PersonAvatar } from './badges.tsx'
import { Boundary } from './Boundary.tsx'
import { formatNumber } from './format.ts'

/** The head of a project's three screens. */
export function ProjectFrame({ id, tab, children }: { id: string; tab: string; children: ReactNode }) {
  const [, go] = useLocation()
  return (
    <div className={tab === 'board' ? 'fill' : undefined}>
      <Boundary fallback={<Skeleton h={34} w={280} mb="xs" />}>
        <Head id={id} />
      </Boundary>
      <Tabs value={tab} onChange={(to) => go(`/projects/${id}${to === 'board' ? '' : `/${to}`}`)} mb="md">
        <Tabs.List aria-label="Views of the project">
          <Tabs.Tab value="board">Board</Tabs.Tab>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
          <Tabs.Tab value="stats">Statistics</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {children}
    </div>
  )
}

function Head({ id }: { id: string }) {
  const { name, description, lead, issueCount, openCount } = useSuspense(ProjectResource.get, { id })
  // The total of this list follows every move on the board at once.
  const open = useDLE(IssueResource.getList, { project: id, status: 'open', sort: 'rank', order: 'asc', limit: 15 })
  return (
    <Group gap="sm" mb="xs" wrap="nowrap" align="start">
      <title>{name}</title>
      <div style={{ minWidth: 0 }}>
        <Title order={1} size="h2">
          {name}
        </Title>
        <Text c="dimmed" size="sm" lineClamp={1}>
          {formatNumber(open.loading || open.error ? openCount : open.data.total)} open of {formatNumber(issueCount)}.{' '}
          {description}
        </Text>
      </div>
      <PersonAvatar person={lead} ml="auto" size="md" />
    </Group>
  )
}
