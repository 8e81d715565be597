import { ActionIcon, Button, FileButton, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { withProgress } from 'restitch/progress'
import { useController, useLoading, useSuspense } from 'restitch/react'
import { type Attachment, AttachmentResource } from '../resources/attachments.ts'
import { fieldErrors } from './fieldErrors.ts'
import { formatSize } from './format.ts'
import { useSend } from './useSend.ts'

export function Attachments({ issue }: { issue: string }) {
  const controller = useController()
  const attachments = useSuspense(AttachmentResource.getList, { issue })
  const [progress, setProgress] = useState(0)
  const [upload, isUploading, error] = useLoading(
    (file: File) => {
      const form = new FormData()
      form.append('file', file)
      setProgress(0)
      const upload = withProgress(AttachmentResource.create, ({ phase, percent = 0 }) => {
        // The response has a progress of its own.
        if (phase === 'upload') {
          setProgress(percent)
        }
      })
      return controller.fetch(upload, { issue }, form)
    },
    [issue],
  )
  return (
    <Stack gap="xs" component="section" aria-label="Attachments">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Attachments ({attachments.length})
        </Title>
        <FileButton onChange={(file) => file && void upload(file)} inputProps={{ 'aria-label': 'File to attach' }}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              loading={isUploading}
              leftSection={<IconPaperclip size={16} aria-hidden />}
            >
              Attach a file
            </Button>
          )}
        </FileButton>
      </Group>
      {isUploading && <Progress value={progress} aria-label="Upload" transitionDuration={100} />}
      {error && (
        <Text c="var(--app-late)" size="sm" role="alert">
          {Object.values(fieldErrors(error) ?? {})[0] ?? error.message}
        </Text>
      )}
      {attachments.length === 0 && (
        <Text c="dimmed" size="sm">
          No files.
        </Text>
      )}
      {attachments.map((attachment) => (
        <File key={attachment.id} attachment={attachment} />
      ))}
    </Stack>
  )
}

function File({ attachment: { id, name, size, by } }: { attachment: Attachment }) {
  const controller = useController()
  const send = useSend()
  const [progress, setProgress] = useState(0)
  const [download, isLoading, error] = useLoading(async () => {
    setProgress(0)
    const counted = withProgress(AttachmentResource.download, ({ percent = 0 }) => setProgress(percent))
    const file = await controller.fetch(counted, { id })
    const url = URL.createObjectURL(file.blob)
    Object.assign(document.createElement('a'), { href: url, download: file.name }).click()
    URL.revokeObjectURL(url)
  }, [id])
  return (
    <Group className="panel" px="sm" py={6} wrap="nowrap">
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c={error ? 'var(--app-late)' : 'dimmed'}>
          {error ? error.message : `${formatSize(size)}, ${by.name}`}
        </Text>
        {isLoading && <Progress size="xs" value={progress} aria-label={`Download of ${name}`} />}
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={`Download ${name}`} onClick={() => void download()}>
        <IconDownload size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Delete ${name}`}
        onClick={() => void send(AttachmentResource.delete, { id })}
      >
        <IconTrash size={18} />
      </ActionIcon>
    </Group>
  )
}
