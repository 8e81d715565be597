import { Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { ifMatch } from 'restitch/etag'
import { useController, useOutbox } from 'restitch/react'
import { Issue, IssueResource } from '../resources/issues.ts'
import { BothVersions } from './BothVersions.tsx'
import { InlineText } from './InlineText.tsx'
import { isCrossed } from './useCrossed.ts'
import { notify } from './useSend.ts'

/** The description. If another user has changed it, too, the outbox has a conflict, which shows both versions. */
export function Description({ issue }: { issue: Issue }) {
  const { id, body } = issue
  const controller = useController()
  const { conflicts, retry, discard } = useOutbox()
  const conflict = conflicts.find((entry) => entry.records.includes(`Issue ${id}`) && !isCrossed(entry))
  const hadConflict = useRef(false)
  const started = useRef<{ text: string; issue: Promise<Issue> }>(undefined)
  /** A text that was written while another user changed the one that it started from. */
  const [late, setLate] = useState<{ readonly mine: string; readonly theirs: Issue }>()

  /** The version that the edit starts from. An issue that came with a list or an event has no ETag yet; else this is a 304. */
  const start = (text: string) => {
    // Without a network it is the one on the screen.
    started.current = { text, issue: controller.fetch(IssueResource.get, { id }).catch(() => issue) }
  }
  const finish = async (mine: string) => {
    const { text, issue } = started.current!
    const base = await issue
    const now = controller.get(Issue, { id }) ?? base
    if (now.body === text) {
      controller
        .fetch(ifMatch(IssueResource.setDescription, base), { id }, { body: mine })
        .catch((error: Error & { status?: number }) => error.status !== 412 && notify(error))
    } else {
      setLate({ mine, theirs: now })
    }
    return true
  }

  const shown = late ?? (conflict && { mine: (conflict.mine as Issue).body, theirs: conflict.theirs as Issue })
  hadConflict.current ||= shown !== undefined
  if (shown?.theirs) {
    return (
      <BothVersions
        key={shown.theirs.revision}
        {...shown}
        autoFocus
        onKeep={() => (late ? setLate(undefined) : void discard(conflict!.id))}
        onSave={(mine) => {
          setLate(undefined)
          if (late) {
            start(late.theirs.body)
            void finish(mine)
          } else {
            void retry(conflict!.id, { body: mine })
          }
        }}
      />
    )
  }
  return (
    <InlineText
      label="Description"
      multiline
      autoFocus={hadConflict.current}
      value={body}
      onOpen={() => start(body)}
      onSave={finish}
    >
      <Text className="prose" {...(!body && { c: 'dimmed' })}>
        {body || 'No description. Click to add one.'}
      </Text>
    </InlineText>
  )
}
