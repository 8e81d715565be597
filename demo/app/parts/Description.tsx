import { Alert, Button, Group, SimpleGrid, Text, Textarea } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ConflictError, ifMatch } from 'restitch/etag'
import { useController } from 'restitch/react'
import { type Issue, IssueResource } from '../resources/issues.ts'
import { InlineText } from './InlineText.tsx'
import { notify } from './useSend.ts'

/** The text of the user, and the issue as another user has changed it. */
interface Conflict {
  readonly mine: string
  readonly current: Issue
}

/** The description. If another user has changed it while this one was typing, both versions are shown. */
export function Description({ issue: { id, body } }: { issue: Issue }) {
  const controller = useController()
  const [conflict, setConflict] = useState<Conflict>()
  const [hadConflict, setHadConflict] = useState(false)
  const started = useRef<{ text: string; issue: Promise<Issue> }>(undefined)

  /** The version that the edit starts from. An issue that came with a list or an event has no ETag yet; else this is a 304. */
  const start = () => {
    const issue = controller.fetch(IssueResource.get, { id })
    // Reported when the user saves.
    issue.catch(() => {})
    started.current = { text: body, issue }
  }
  const finish = async (mine: string) => {
    try {
      const { text, issue } = started.current!
      const base = await issue
      return base.body === text ? await save(mine, base) : show({ mine, current: base })
    } catch (error) {
      notify(error as Error)
      return undefined
    }
  }
  const save = async (mine: string, base: Issue): Promise<unknown> => {
    try {
      return await controller.fetch(ifMatch(IssueResource.setDescription, base), { id }, { body: mine })
    } catch (error) {
      const { current } = error instanceof ConflictError ? (error as ConflictError<Issue>) : {}
      if (!current) {
        throw error
      }
      // Another field has changed, or there is a new comment.
      return current.body === base.body ? save(mine, current) : show({ mine, current })
    }
  }
  const show = (next: Conflict) => {
    setConflict(next)
    setHadConflict(true)
    return next
  }

  if (conflict) {
    return (
      <BothVersions
        {...conflict}
        onKeep={() => setConflict(undefined)}
        onSave={(mine) => {
          setConflict(undefined)
          save(mine, conflict.current).catch((error: Error) => {
            notify(error)
            setConflict({ ...conflict, mine })
          })
        }}
      />
    )
  }
  return (
    <InlineText label="Description" multiline autoFocus={hadConflict} value={body} onOpen={start} onSave={finish}>
      <Text className="prose" {...(!body && { c: 'dimmed' })}>
        {body || 'No description. Click to add one.'}
      </Text>
    </InlineText>
  )
}

interface BothVersionsProps extends Conflict {
  onKeep: () => void
  onSave: (mine: string) => void
}

function BothVersions({ mine, current, onKeep, onSave }: BothVersionsProps) {
  const [draft, setDraft] = useState(mine)
  return (
    <Alert
      icon={<IconGitMerge />}
      styles={{
        root: { background: 'var(--app-warn-ground)' },
        icon: { color: 'var(--app-warn)' },
        title: { color: 'var(--app-warn)' },
      }}
      title="Another user has changed this description"
      aria-label="Conflict"
    >
      <SimpleGrid type="container" cols={{ base: 1, '480px': 2 }} spacing="md">
        <div>
          <Text size="sm" fw={600} mb={4}>
            On the server, revision {current.revision}
          </Text>
          <Text size="sm" className="prose">
            {current.body}
          </Text>
        </div>
        <Textarea
          label="Your version"
          autosize
          minRows={3}
          autoFocus
          value={draft}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        />
      </SimpleGrid>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" disabled={!draft.trim()} onClick={() => onSave(draft.trim())}>
          Save my version
        </Button>
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          Keep theirs
        </Button>
      </Group>
    </Alert>
  )
}
