import { Anchor, Badge, Group, Skeleton, Text, Title } from '@mantine/core'
import { Suspense } from 'react'
import { Img } from 'restitch/img'
import { useDLE, useLive } from 'restitch/react'
import { Link } from 'wouter'
import { Portrait } from '../parts/badges.tsx'
import { InlineText } from '../parts/InlineText.tsx'
import { useSend } from '../parts/useSend.ts'
import { IssueResource } from '../resources/issues.ts'
import { type Person, PersonResource } from '../resources/people.ts'
import { formatNumber } from '../parts/format.ts'

/** Each person is one row in the store: a new name appears everywhere at once. */
export function People() {
  const people = useLive(PersonResource.getList)
  return (
    <>
      <title>People</title>
      <Title order={1} size="h2">
        People
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Click a name to change it. Issues, comments, activity and pickers show the new name at once.
      </Text>
      <div className="people">
        {people.map((person) => (
          <PersonCard key={person.id} person={person} />
        ))}
      </div>
    </>
  )
}

function PersonCard({ person }: { person: Person }) {
  const send = useSend()
  const { id, name, role, email, avatar } = person
  const open = useDLE(IssueResource.getList, { assignee: id, status: 'open', limit: 1 })
  return (
    <Group className="panel" p="md" wrap="nowrap" align="start">
      <Suspense fallback={<Skeleton circle h={56} w={56} />}>
        <Img component={Portrait} src={avatar} alt="" size="lg" />
      </Suspense>
      <div style={{ minWidth: 0, flex: 1 }}>
        <InlineText label="Name" value={name} onSave={(name) => send(PersonResource.partialUpdate, { id }, { name })}>
          <Text fw={600} truncate>
            {name}
          </Text>
        </InlineText>
        <Text size="sm" c="dimmed" truncate mt={4}>
          {role}
        </Text>
        <Text size="xs" c="dimmed" truncate title={email}>
          {email}
        </Text>
        <Group gap="xs" mt={6}>
          <Anchor component={Link} href={`/issues?assignee=${id}&status=open`} size="sm">
            Open issues
          </Anchor>
          {open.loading ? (
            <Skeleton h={16} w={28} />
          ) : (
            <Badge variant="default" size="sm">
              {open.error ? '?' : formatNumber(open.data.total)}
            </Badge>
          )}
        </Group>
      </div>
    </Group>
  )
}
