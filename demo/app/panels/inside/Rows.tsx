import { Chip, Group, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { INVALID, type State } from 'restitch'
import { formatAge, isListTable, membersOf, memberTable, titleOf } from './format.ts'
import classes from './inside.module.css'
import { Inspector } from './Inspector.tsx'
import { Tag } from './Tag.tsx'
import { useInside, useNow } from './useInside.ts'
import { VirtualList } from './VirtualList.tsx'

/** A row of the store by its table and primary key. */
export interface Place {
  readonly table: string
  readonly pk?: string | undefined
}

interface RowsProps {
  readonly kind: 'tables' | 'lists'
  readonly place: Place | undefined
  readonly onOpen: (place: Place) => void
}

/** Tables and their rows, or lists and their members: in the store both are rows. */
export function Rows({ kind, place, onOpen }: RowsProps): ReactNode {
  const state = useInside()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const tables = Object.keys(state.entities).filter((key) => isListTable(key) === (kind === 'lists'))
  const size = (key: string): number => Object.keys(state.entities[key]!).length
  const largest = tables.toSorted((a, b) => size(b) - size(a))[0]
  const table = place && tables.includes(place.table) ? place.table : largest
  const rows = table === undefined ? undefined : state.entities[table]
  const found = useMemo(() => find(rows, wanted), [rows, wanted])
  const selected = place?.table === table ? place?.pk : undefined
  const row = rows?.[selected ?? '']

  if (table === undefined) {
    return <div className={classes['empty']}>Nothing has been stored yet.</div>
  }
  return (
    <div className={classes['split']}>
      <div className={classes['column']}>
        <Chip.Group value={table} onChange={(next) => onOpen({ table: next })}>
          <Group gap={6} role="radiogroup" aria-label={kind === 'lists' ? 'Lists of' : 'Table'}>
            {tables.map((key) => (
              <Chip key={key} value={key} size="xs">
                {key} {size(key).toLocaleString()}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <TextInput
          size="xs"
          aria-label={`Find in ${table}`}
          placeholder={`Find in ${table}`}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <VirtualList
          label={`Rows of ${table}`}
          items={found}
          keyOf={(pk) => pk}
          empty="No row has this text."
          selected={selected}
          onSelect={(pk) => onOpen({ table, pk })}
        >
          {(pk) => <RowLine pk={pk} row={rows![pk]} isList={kind === 'lists'} />}
        </VirtualList>
      </div>
      {selected === undefined || row === undefined ? (
        <div className={classes['empty']}>Choose a row to look into it. Arrow keys work, too.</div>
      ) : (
        <RowDetails state={state} place={{ table, pk: selected }} onOpen={onOpen} />
      )}
    </div>
  )
}

function RowLine({ pk, row, isList }: { pk: string; row: unknown; isList: boolean }): ReactNode {
  return (
    <>
      <span className={`${classes['mono']} ${isList ? classes['main'] : classes['dim']}`}>{pk}</span>
      {isList ? (
        <span className={classes['dim']}>{membersOf(row).length.toLocaleString()}</span>
      ) : (
        <span className={`${classes['main']} ${row === INVALID ? classes['bad'] : ''}`}>{titleOf(row)}</span>
      )}
    </>
  )
}

interface RowDetailsProps {
  readonly state: State
  readonly place: { readonly table: string; readonly pk: string }
  readonly onOpen: (place: Place) => void
}

function RowDetails({ state, place: { table, pk }, onOpen }: RowDetailsProps): ReactNode {
  const now = useNow()
  const row: unknown = state.entities[table]?.[pk]
  const meta = state.entitiesMeta[table]?.[pk]
  const pending = state.optimistic.filter(({ args }) => args.some((arg: any) => arg && String(arg.id) === pk)).length
  return (
    <Inspector
      title={`${table} ${pk}`}
      value={isListTable(table) ? undefined : row}
      aside={pending > 0 && !isListTable(table) && <Tag color="orange">{pending} pending</Tag>}
    >
      {meta && (
        <Text size="xs" className={classes['dim']} mb={6}>
          written {formatAge(now - meta.date)} ago ·{' '}
          {meta.expiresAt > now ? `fresh for ${formatAge(meta.expiresAt - now)}` : 'stale'}
        </Text>
      )}
      {isListTable(table) ? (
        <Members table={memberTable(table)} rows={state.entities[memberTable(table)]} list={row} onOpen={onOpen} />
      ) : (
        <ListsOf state={state} table={table} pk={pk} onOpen={onOpen} />
      )}
    </Inspector>
  )
}

interface MembersProps {
  readonly table: string
  readonly rows: State['entities'][string] | undefined
  readonly list: unknown
  readonly onOpen: (place: Place) => void
}

/** Rendered again when the list or one of the rows has changed: both keep their identity until then. */
const Members = memo(function Members({ table, rows, list, onOpen }: MembersProps): ReactNode {
  const pks = membersOf(list)
  const shown = pks.slice(0, 200)
  return (
    <ol style={{ margin: 0, paddingInlineStart: 28 }}>
      {shown.map((pk) => (
        <li key={pk}>
          <button type="button" className={classes['link']} onClick={() => onOpen({ table, pk })}>
            {titleOf(rows?.[pk]) || pk}
          </button>
        </li>
      ))}
      {pks.length > shown.length && <Text size="xs">and {pks.length - shown.length} more</Text>}
    </ol>
  )
})

/** The lists that show a row. */
function ListsOf({
  state,
  table,
  pk,
  onOpen,
}: { state: State; table: string; pk: string } & Pick<RowsProps, 'onOpen'>) {
  const rows = state.entities[`[${table}]`]
  const lists = useMemo(() => Object.keys(rows ?? {}).filter((list) => membersOf(rows![list]).includes(pk)), [rows, pk])
  if (lists.length === 0) {
    return null
  }
  return (
    <Text size="xs" mb={6} component="div">
      in{' '}
      {lists.map((list) => (
        <button
          key={list}
          type="button"
          className={`${classes['link']} ${classes['mono']}`}
          style={{ marginInlineEnd: 8 }}
          onClick={() => onOpen({ table: `[${table}]`, pk: list })}
        >
          {list}
        </button>
      ))}
    </Text>
  )
}

function find(rows: { readonly [pk: string]: unknown } | undefined, wanted: string): string[] {
  const pks = Object.keys(rows ?? {})
  if (!wanted) {
    return pks
  }
  return pks.filter((pk) => pk.toLowerCase().includes(wanted) || textOf(rows![pk]).includes(wanted))
}

const texts = new WeakMap<object, string>()

/** A row that changes is another object, so that its text can be kept. */
function textOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) {
    return ''
  }
  let text = texts.get(row)
  if (text === undefined) {
    texts.set(row, (text = JSON.stringify(row).toLowerCase()))
  }
  return text
}
