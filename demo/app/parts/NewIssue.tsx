import { Alert, Button, Group, Modal, Skeleton, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useController, useLoading } from 'restitch/react'
import { type IssueDraft, IssueResource } from '../resources/issues.ts'
import { Boundary } from './Boundary.tsx'
import { fieldErrors } from './fieldErrors.ts'
import { LabelsPicker, PersonPicker, PriorityPicker, ProjectPicker, StatusPicker } from './pickers.tsx'

interface NewIssueProps {
  opened: boolean
  onClose: () => void
  project?: string
}

export function NewIssue({ opened, onClose, project }: NewIssueProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New issue" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Boundary fallback={<Skeleton h={420} />}>
        <Form onClose={onClose} {...(project && { project })} />
      </Boundary>
    </Modal>
  )
}

/** The issue appears in the lists while it is sent; validation errors appear at their fields. */
function Form({ onClose, project }: Omit<NewIssueProps, 'opened'>) {
  const controller = useController()
  const [draft, setDraft] = useState<Partial<IssueDraft>>({ title: '', status: 'todo', ...(project && { project }) })
  const change = (fields: Partial<IssueDraft>) => setDraft((old) => ({ ...old, ...fields }))
  const [create, isSending, error] = useLoading(async () => {
    await controller.fetch(IssueResource.create, draft)
    onClose()
  }, [draft])
  const errors = fieldErrors(error)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <Stack gap="sm">
        {error && !errors && (
          <Alert color="red" title="The issue was not created" role="alert">
            {error.message}
          </Alert>
        )}
        <TextInput
          label="Title"
          required
          data-autofocus
          value={draft.title ?? ''}
          error={errors?.title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <Textarea
          label="Description"
          autosize
          minRows={4}
          value={draft.body ?? ''}
          error={errors?.body}
          onChange={({ currentTarget }) => change({ body: currentTarget.value })}
        />
        <Group grow>
          <ProjectPicker
            required
            value={draft.project ?? null}
            error={errors?.project}
            onChange={(project) => change({ project: project ?? '' })}
          />
          <StatusPicker
            value={draft.status ?? null}
            error={errors?.status}
            onChange={(status) => change({ status: status as IssueDraft['status'] })}
          />
        </Group>
        <Group grow>
          <PersonPicker
            label="Assignee"
            clearable
            value={draft.assignee ?? null}
            error={errors?.assignee}
            onChange={(assignee) => change({ assignee })}
          />
          <PriorityPicker
            value={String(draft.priority ?? 0)}
            error={errors?.priority}
            onChange={(priority) => change({ priority: Number(priority) })}
          />
        </Group>
        <Group grow align="start">
          <LabelsPicker value={draft.labels ?? []} onChange={(labels) => change({ labels })} />
          <TextInput
            label="Due"
            type="date"
            value={draft.dueOn ?? ''}
            error={errors?.dueOn}
            onChange={({ currentTarget }) => change({ dueOn: currentTarget.value || null })}
          />
        </Group>
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
