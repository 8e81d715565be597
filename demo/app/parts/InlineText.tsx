import { Button, Group, Textarea, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface InlineTextProps {
  label: string
  value: string
  /** Resolves to nothing if saving failed: then the field opens again, with the typed text. */
  onSave: (value: string) => Promise<unknown>
  /** Called when the user starts to edit. */
  onOpen?: () => void
  /** Shown while the text is not being edited. */
  children: ReactNode
  multiline?: boolean
  /** The text takes the focus when it appears. */
  autoFocus?: boolean
}

/** Text that becomes a field on click. Enter saves, Escape cancels, and the focus returns to the text. */
export function InlineText({
  label,
  value,
  onSave,
  onOpen,
  children,
  multiline = false,
  autoFocus = false,
}: InlineTextProps) {
  const [draft, setDraft] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (draft === undefined && wasOpen.current) {
      button.current?.focus()
    }
    wasOpen.current = draft !== undefined
  }, [draft])

  if (draft === undefined) {
    return (
      <UnstyledButton
        ref={button}
        autoFocus={autoFocus}
        className="editable"
        onClick={() => {
          setDraft(value)
          onOpen?.()
        }}
        aria-label={`${label}: ${value}. Edit`}
      >
        {children}
      </UnstyledButton>
    )
  }

  const save = async () => {
    const text = draft.trim()
    setDraft(undefined)
    if (text && text !== value && !(await onSave(text))) {
      setDraft(text)
    }
  }
  const Field = multiline ? Textarea : TextInput
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        aria-label={label}
        value={draft}
        data-autofocus
        autoFocus
        {...(multiline && { autosize: true, minRows: 3 })}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            setDraft(undefined)
          }
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            void save()
          }
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="compact-sm">
          Save
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => setDraft(undefined)}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
