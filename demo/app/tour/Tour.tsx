import { Anchor, Button, CopyButton, Group, Paper, Table, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { openDevtools } from 'restitch/devtools'
import { useController, useOutbox } from 'restitch/react'
import { useLocation } from 'wouter'
import { formatSize } from '../parts/format.ts'
import { useSend } from '../parts/useSend.ts'
import { Issue, IssueResource } from '../resources/issues.ts'
import { columnOf } from '../screens/Board.tsx'
import { flyCard } from './flyCard.ts'
import { keepTour, readTour } from './progress.ts'
import { describeChange, type Report, watchWrites } from './WriteWatcher.ts'

const PROJECT = '1'
const BOARD = `/projects/${PROJECT}`

interface TourProps {
  readonly onOpen: (panel: 'break' | 'code') => void
  readonly onClose: () => void
}

/** Two minutes: move a card, see what it cost, do the same the way most clients do, and take it along. */
export function Tour({ onOpen, onClose }: TourProps): ReactNode {
  const [place, go] = useLocation()
  const controller = useController()
  const send = useSend()
  const [begun] = useState(readTour)
  const [report, setReport] = useState<Report | undefined>(begun.report)
  const [classicReport, setClassicReport] = useState<Report | undefined>(begun.classicReport)
  const [isLast, setLast] = useState(begun.isLast ?? false)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const isWaiting = useOutbox().pending.some(({ attempts, isSending }) => attempts > 0 && !isSending)
  /** The move that the comparison is waiting for. */
  const awaited = useRef<string>(undefined)
  /** A step waits until the card has landed. */
  const flight = useRef<Promise<unknown>>(Promise.resolve())
  const isCompared = classicReport !== undefined
  const take = async (next: Report): Promise<void> => {
    await flight.current
    if (isCompared) {
      return
    }
    if (awaited.current === undefined) {
      setBusy(false)
      setReport(next)
    } else if (awaited.current === next.change) {
      awaited.current = undefined
      setBusy(false)
      setClassicReport(next)
    }
  }
  useEffect(() => watchWrites((next) => void take(next)), [isCompared])
  // A reload continues the tour.
  useEffect(() => keepTour({ report, classicReport, isLast }), [report, classicReport, isLast])

  const step = isLast ? 'end' : classicReport ? 'comparison' : report ? 'effects' : 'welcome'
  const section = useFocusOnStep(step)

  /** Resolves to whether the server has accepted the move; `afterwards` runs as soon as it has. */
  const move = async (id: string, fields: Pick<Report, 'status' | 'rank'>, afterwards = async () => {}) => {
    setBusy(true)
    let isMoved = false
    flight.current = flyCard(id, async () => {
      isMoved = (await send(IssueResource.getList.move, { id }, fields)) !== undefined
      await (isMoved && afterwards())
    })
    await flight.current
    setFailed(!isMoved)
    if (!isMoved) {
      setBusy(false)
    }
    return isMoved
  }
  const moveFirst = () => {
    const [todo, done] = (['todo', 'done'] as const).map(
      (status) => controller.getResponse(IssueResource.getList, columnOf(PROJECT, status)).data?.items?.[0],
    )
    if (todo) {
      void move(todo.id, { status: 'done', rank: (done?.rank ?? 1) - 1 })
    }
  }
  /** Moves the card back, and then does what an invalidation of the issue lists does. */
  const compare = async () => {
    const { id, status, rank } = report!
    awaited.current = describeChange(id, { status, rank })
    if (!(await move(id, { status, rank }, () => controller.expireAll(IssueResource.getList)))) {
      awaited.current = undefined
    }
  }

  return (
    <Paper withBorder component="section" aria-label="Tour" className="tour quiet-focus" tabIndex={-1} ref={section}>
      <div role="status" className="tour-text">
        {step === 'end' && <End />}
        {step === 'comparison' && <Comparison ours={report!} classic={classicReport!} />}
        {step === 'effects' && <Effects report={report!} />}
        {step === 'welcome' && <Welcome />}
        {isBusy && isWaiting && (
          <Text size="sm" mt={4} c="var(--app-late)">
            The server cannot be reached, so the move waits in the outbox. Turn off the faults of “Break it”: then it is
            sent.
          </Text>
        )}
        {hasFailed && (
          <Text size="sm" mt={4} c="var(--app-late)">
            The server did not accept the move, so the card went back. Turn off the faults of “Break it”, then try
            again.
          </Text>
        )}
      </div>
      <Group className="tour-buttons" gap="md" style={{ rowGap: 4 }}>
        {step === 'welcome' && place !== BOARD && (
          <Button size="xs" data-next onClick={() => go(BOARD)}>
            Go to the board
          </Button>
        )}
        {step === 'welcome' && place === BOARD && (
          <Button size="xs" data-next loading={isBusy} onClick={moveFirst}>
            Move a card for me
          </Button>
        )}
        {step === 'effects' && (
          <Button size="xs" data-next loading={isBusy} onClick={() => void compare()}>
            Compare with a classic client
          </Button>
        )}
        {step === 'comparison' && (
          <Button size="xs" data-next onClick={() => setLast(true)}>
            Use it in your app
          </Button>
        )}
        {step === 'end' && (
          <Button size="xs" data-next onClick={onClose}>
            Finish the tour
          </Button>
        )}
        {step !== 'welcome' && (
          <>
            <More onClick={() => onOpen('code')}>Show the code</More>
            <More onClick={() => openDevtools(Issue, { id: report!.id })}>Look into the store</More>
            <More onClick={() => onOpen('break')}>Break the network</More>
          </>
        )}
        {step !== 'end' && (
          <Anchor component="button" size="sm" c="dimmed" ml="auto" onClick={onClose}>
            Skip the tour
          </Anchor>
        )}
      </Group>
    </Paper>
  )
}

/**
 * The tour takes the focus when it starts. After each step the button of the last one is gone: the focus goes to the next one, unless
 * the user works elsewhere.
 */
function useFocusOnStep(step: string) {
  const section = useRef<HTMLDivElement>(null)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    const { activeElement } = document
    const { current } = section
    if (shown.current === undefined) {
      current?.focus({ preventScroll: true })
    } else if (shown.current !== step && (activeElement === document.body || current?.contains(activeElement))) {
      current?.querySelector<HTMLElement>('[data-next]')?.focus({ preventScroll: true })
    }
    shown.current = step
  }, [step])
  return section
}

function More({ onClick, children }: { onClick: () => void; children: string }): ReactNode {
  return (
    <Anchor component="button" size="sm" className="tour-more" onClick={onClick}>
      {children}
    </Anchor>
  )
}

function Welcome(): ReactNode {
  return (
    <>
      <Title order={2} size="h4">
        Every list stays right, without invalidation code
      </Title>
      <Text size="sm" mt={4}>
        This project tracker runs on a real API with 5,000 issues. Move a card to another column: drag it, or let the
        tour do it. Watch both columns and the number of open issues.
      </Text>
    </>
  )
}

function Effects({ report: { request, refetches, lists } }: { report: Report }): ReactNode {
  return (
    <>
      <Title order={2} size="h4">
        What just happened
      </Title>
      <Group gap="xl" mt={4} style={{ rowGap: 0 }}>
        <Figure value={1} label={request} />
        <Figure value={refetches} label={refetches === 1 ? 'refetch' : 'refetches'} />
        <Figure
          value={lists.length}
          label={`${lists.length === 1 ? 'list' : 'lists'} updated: ${[...new Set(lists)].join(', ')}`}
        />
      </Group>
      <Text size="sm" mt={4}>
        The card moved before the server responded. Lists and totals were updated on their own: they know which issues
        they contain.
      </Text>
    </>
  )
}

function Figure({ value, label }: { value: number; label: string }): ReactNode {
  return (
    <Text size="sm">
      <Text span fz={24} fw={700}>
        {value}
      </Text>{' '}
      {label}
    </Text>
  )
}

function Comparison({ ours, classic }: { ours: Report; classic: Report }): ReactNode {
  return (
    <>
      <Title order={2} size="h4">
        The same move, twice
      </Title>
      <Table mt={4} withRowBorders={false} verticalSpacing={2} fz="sm" w="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th>restitch</Table.Th>
            <Table.Th>invalidate and refetch</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th>Requests</Table.Th>
            <Table.Td>{1 + ours.refetches}</Table.Td>
            <Table.Td>{1 + classic.refetches}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>Lists loaded again</Table.Th>
            <Table.Td>{formatSize(ours.bytes)}</Table.Td>
            <Table.Td>{formatSize(classic.bytes)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Text size="sm" mt={4}>
        To move the card back, the tour did what a client that caches responses does: it sent the write, then refetched
        every issue list on the screen.
      </Text>
    </>
  )
}

function End(): ReactNode {
  return (
    <>
      <Title order={2} size="h4">
        Use it in your app
      </Title>
      <Group gap="xs" mt={6}>
        <Command text="npm install restitch" label="Install" />
        <Command text="npm run docs" label="Documentation" />
      </Group>
      <Text size="sm" mt={6}>
        The second command serves the documentation, in the folder where you have started this demo. Learn builds one
        app in twelve short pages, and the playground runs in the browser.
      </Text>
    </>
  )
}

function Command({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          ff="monospace"
          aria-label={`${label}: copy “${text}”`}
          rightSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {text}
        </Button>
      )}
    </CopyButton>
  )
}
