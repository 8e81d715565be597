import { Button, Group, Switch, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { clearEntries, type Entry, readEntries } from '../InsideManager.ts'
import { formatAge, shortKey } from './format.ts'
import classes from './inside.module.css'
import { Inspector } from './Inspector.tsx'
import { Tag } from './Tag.tsx'
import { useInside } from './useInside.ts'
import { VirtualList } from './VirtualList.tsx'

const COLORS: Record<string, string> = {
  fetch: 'blue',
  setresponse: 'teal',
  optimistic: 'orange',
  set: 'grape',
  reset: 'red',
}
const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })

/** The last actions, as managers see them. */
export function Log(): ReactNode {
  useInside()
  const [text, setText] = useState('')
  const [held, setHeld] = useState<Entry[]>()
  const [selected, setSelected] = useState<string>()
  const wanted = text.trim().toLowerCase()
  const all = held ?? readEntries()
  const shown = wanted ? all.filter(({ type, about }) => `${type} ${about}`.toLowerCase().includes(wanted)) : all
  const entry = all.find(({ number }) => String(number) === selected)
  return (
    <div className={classes['split']}>
      <div className={classes['column']}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label="Find an action"
            placeholder="Find an action"
            leftSection={<IconSearch size={14} />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Switch
            size="xs"
            label="Hold"
            checked={held !== undefined}
            onChange={({ currentTarget }) => setHeld(currentTarget.checked ? readEntries() : undefined)}
          />
          <Button size="compact-xs" variant="default" onClick={clearEntries}>
            Clear
          </Button>
        </Group>
        <VirtualList
          label="Actions, newest first"
          items={shown}
          keyOf={({ number }) => String(number)}
          empty="Nothing has happened."
          selected={selected}
          onSelect={setSelected}
        >
          {(one) => <Line entry={one} />}
        </VirtualList>
      </div>
      {entry ? (
        <Inspector
          title={`${entry.type} ${shortKey(entry.about)}`}
          value={{ at: time.format(entry.at), args: entry.args, took: entry.took, error: entry.error }}
        />
      ) : (
        <div className={classes['empty']}>Choose an action to see its arguments.</div>
      )}
    </div>
  )
}

function Line({ entry: { at, type, about, took, error } }: { entry: Entry }): ReactNode {
  return (
    <>
      <span className={classes['dim']}>{time.format(at)}</span>
      <Tag color={error ? 'red' : (COLORS[type] ?? 'gray')}>{type}</Tag>
      <span className={`${classes['main']} ${classes['mono']} ${error ? classes['bad'] : ''}`}>{shortKey(about)}</span>
      {took !== undefined && <span className={classes['dim']}>{formatAge(took)}</span>}
    </>
  )
}
