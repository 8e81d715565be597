import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { isOptimistic } from 'restitch'
import { useSuspense } from 'restitch/react'
import { type Comment, CommentResource } from '../resources/comments.ts'
import { IssueResource } from '../resources/issues.ts'
import { getSession } from '../resources/session.ts'
import { PersonAvatar } from './badges.tsx'
import { formatAgo } from './format.ts'
import { InlineText } from './InlineText.tsx'
import { useSend } from './useSend.ts'

/** The list of its endpoint, which is also the field `comments` of the issue. */
export function Comments({ issue }: { issue: string }) {
  const comments = useSuspense(CommentResource.getList, { issue })
  const { comments: nested } = useSuspense(IssueResource.get, { id: issue })
  const me = useSuspense(getSession).session.person
  return (
    <Stack gap="md" component="section" aria-label="Comments">
      <Title order={2} size="h4">
        Comments ({nested.length})
      </Title>
      {comments.length === 0 && (
        <Text c="dimmed" size="sm">
          No comments yet.
        </Text>
      )}
      {comments.map((comment) => (
        <CommentItem key={comment.pk()} comment={comment} isOwn={comment.author.id === me.id} />
      ))}
      <NewComment issue={issue} author={me.id} />
    </Stack>
  )
}

function CommentItem({ comment, isOwn }: { comment: Comment; isOwn: boolean }) {
  const send = useSend()
  const { id, author, body, createdAt } = comment
  const text = (
    <Text size="sm" className="prose">
      {body}
    </Text>
  )
  return (
    <Group component="article" gap="sm" align="start" wrap="nowrap" opacity={isOptimistic(comment) ? 0.6 : 1}>
      <PersonAvatar person={author} size={32} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs" mb={2}>
          <Text size="sm" fw={600}>
            {author.name}
          </Text>
          <Text size="xs" c="dimmed">
            {isOptimistic(comment) ? 'sending…' : formatAgo(createdAt)}
          </Text>
          {isOwn && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              ml="auto"
              disabled={isOptimistic(comment)}
              onClick={() => void send(CommentResource.delete, { id })}
            >
              Delete
            </Button>
          )}
        </Group>
        {isOwn && !isOptimistic(comment) ? (
          <InlineText
            label="Comment"
            multiline
            value={body}
            onSave={(body) => send(CommentResource.partialUpdate, { id }, { body })}
          >
            {text}
          </InlineText>
        ) : (
          text
        )}
      </div>
    </Group>
  )
}

function NewComment({ issue, author }: { issue: string; author: string }) {
  const send = useSend()
  const [body, setBody] = useState('')
  const add = () => {
    void send(CommentResource.create, { issue }, { body, author, createdAt: new Date().toISOString() })
    setBody('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (body.trim()) {
          add()
        }
      }}
    >
      <Textarea
        label="New comment"
        autosize
        minRows={2}
        value={body}
        onChange={({ currentTarget }) => setBody(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && body.trim()) {
            add()
          }
        }}
      />
      <Button type="submit" mt="xs" disabled={!body.trim()}>
        Comment
      </Button>
    </form>
  )
}
