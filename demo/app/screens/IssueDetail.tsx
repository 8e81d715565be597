import {
  ActionIcon,
  Anchor,
  Button,
  Divider,
  Group,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { useController, useFetch, useSuspense } from 'restitch/react'
import { Link, useLocation } from 'wouter'
import { Attachments } from '../parts/Attachments.tsx'
import { Boundary } from '../parts/Boundary.tsx'
import { Comments } from '../parts/Comments.tsx'
import { Description } from '../parts/Description.tsx'
import { formatAgo, formatDay } from '../parts/format.ts'
import { InlineText } from '../parts/InlineText.tsx'
import { LabelsPicker, PersonPicker, PriorityPicker, StatusPicker } from '../parts/pickers.tsx'
import { useSend } from '../parts/useSend.ts'
import { AttachmentResource } from '../resources/attachments.ts'
import { CommentResource } from '../resources/comments.ts'
import { type Issue, type IssueDraft, IssueResource, type Status } from '../resources/issues.ts'
import { ProjectResource } from '../resources/projects.ts'

export function IssueDetail({ id }: { id: string }) {
  // Requested together with the issue, and read further down.
  void useFetch(CommentResource.getList, { issue: id })
  void useFetch(AttachmentResource.getList, { issue: id })
  const issue = useSuspense(IssueResource.get, { id })
  const send = useSend()
  const save = (fields: Partial<IssueDraft>) => send(IssueResource.getList.move, { id }, fields)
  return (
    <div className="detail">
      <title>{`${issue.key} ${issue.title}`}</title>
      <Stack gap="md" miw={0}>
        <Head issue={issue} />
        <InlineText label="Title" value={issue.title} onSave={(title) => save({ title })}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {issue.title}
          </Title>
        </InlineText>
        <Description issue={issue} />
        <Divider />
        <Boundary fallback={<Skeleton h={120} />}>
          <Attachments issue={id} />
        </Boundary>
        <Divider />
        <Boundary fallback={<Skeleton h={240} />}>
          <Comments issue={id} />
        </Boundary>
      </Stack>
      <Boundary fallback={<Skeleton h={420} />}>
        <Fields issue={issue} save={save} />
      </Boundary>
    </div>
  )
}

function Head({ issue }: { issue: Issue }) {
  const controller = useController()
  const [, go] = useLocation()
  const project = useSuspense(ProjectResource.get, { id: issue.project })
  const remove = async () => {
    // Leaves the screen at once, before the record is deleted.
    go(`/projects/${issue.project}`)
    await controller
      .fetch(IssueResource.delete, { id: issue.id })
      .catch(({ message }: Error) =>
        notifications.show({ color: 'red', title: `${issue.key} was not deleted`, message }),
      )
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionIcon
        component={Link}
        href={`/projects/${project.id}`}
        variant="subtle"
        color="gray"
        aria-label={`Back to the board of ${project.name}`}
      >
        <IconArrowLeft size={18} />
      </ActionIcon>
      <Anchor component={Link} href={`/projects/${project.id}`} size="sm" c="dimmed" truncate>
        {project.name}
      </Anchor>
      <Text size="sm" c="dimmed">
        / {issue.key}
      </Text>
      <Tooltip label="Delete">
        <ActionIcon
          ml="auto"
          variant="subtle"
          color="red"
          aria-label={`Delete ${issue.key}`}
          onClick={() => void remove()}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

function Fields({ issue, save }: { issue: Issue; save: (fields: Partial<IssueDraft>) => unknown }) {
  return (
    <Stack className="panel" p="md" gap="sm">
      <StatusPicker value={issue.status} onChange={(status) => save({ status: status as Status })} />
      <PersonPicker
        label="Assignee"
        clearable
        placeholder="Unassigned"
        value={issue.assignee?.id ?? null}
        onChange={(assignee) => save({ assignee })}
      />
      {issue.assignee === null && (
        <Button variant="subtle" size="compact-sm" onClick={() => save({ assignee: issue.author.id })}>
          Assign to {issue.author.name}
        </Button>
      )}
      <PriorityPicker value={String(issue.priority)} onChange={(priority) => save({ priority: Number(priority) })} />
      <LabelsPicker value={issue.labels.map(({ id }) => id)} onChange={(labels) => save({ labels })} />
      <TextInput
        label="Due"
        type="date"
        value={issue.dueOn ?? ''}
        error={issue.isOverdue && 'Overdue'}
        onChange={({ currentTarget }) => save({ dueOn: currentTarget.value || null })}
      />
      <Divider />
      <Text size="sm" c="dimmed">
        Opened by {issue.author.name} on {formatDay(issue.createdAt)}, changed {formatAgo(issue.updatedAt)} (revision{' '}
        {issue.revision})
      </Text>
    </Stack>
  )
}

export function IssueSkeleton() {
  return (
    <div className="detail">
      <Stack>
        <Skeleton h={20} w={180} />
        <Skeleton h={36} w="70%" />
        <Skeleton h={14} />
        <Skeleton h={14} />
        <Skeleton h={14} w="60%" />
        <Skeleton h={120} />
        <Skeleton h={240} />
      </Stack>
      <Skeleton h={420} />
    </div>
  )
}
