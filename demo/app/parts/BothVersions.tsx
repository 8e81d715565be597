import { Alert, Button, Group, SimpleGrid, Text, Textarea } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Issue } from '../resources/issues.ts'

interface BothVersionsProps {
  readonly mine: string
  readonly theirs: Pick<Issue, 'body' | 'revision'>
  readonly onSave: (mine: string) => void
  readonly onKeep: () => void
  readonly autoFocus?: boolean
}

/** Two descriptions of one issue, to choose from or to merge. */
export function BothVersions({ mine, theirs, onSave, onKeep, autoFocus = false }: BothVersionsProps): ReactNode {
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
            On the server, revision {theirs.revision}
          </Text>
          <Text size="sm" className="prose">
            {theirs.body}
          </Text>
        </div>
        <Textarea
          label="Your version"
          autosize
          minRows={3}
          autoFocus={autoFocus}
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
