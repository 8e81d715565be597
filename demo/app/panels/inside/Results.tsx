import { Button, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { State } from 'restitch'
import { useController } from 'restitch/react'
import { formatAge, shortKey } from './format.ts'
import classes from './inside.module.css'
import { Inspector } from './Inspector.tsx'
import { Tag } from './Tag.tsx'
import { useInside, useNow } from './useInside.ts'
import { VirtualList } from './VirtualList.tsx'

type Meta = State['meta'][string]

/** What each endpoint was answered with, and how long that counts. */
export function Results(): ReactNode {
  const { meta, endpoints } = useInside()
  const controller = useController()
  const now = useNow()
  const [text, setText] = useState('')
  const [selected, setSelected] = useState<string>()
  const keys = Object.keys(meta).filter((key) => key.toLowerCase().includes(text.trim().toLowerCase()))
  const testKey = (key: string): boolean => key === selected
  const error: unknown = meta[selected ?? '']?.error
  return (
    <div className={classes['split']}>
      <div className={classes['column']}>
        <TextInput
          size="xs"
          aria-label="Find an endpoint"
          placeholder="Find an endpoint"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <VirtualList
          label="Endpoints"
          items={keys}
          keyOf={(key) => key}
          empty="No endpoint has been asked."
          selected={selected}
          onSelect={setSelected}
        >
          {(key) => (
            <>
              <span className={`${classes['main']} ${classes['mono']}`}>{shortKey(key)}</span>
              <Freshness meta={meta[key]!} now={now} />
            </>
          )}
        </VirtualList>
      </div>
      {selected === undefined || !meta[selected] ? (
        <div className={classes['empty']}>Choose an endpoint to see what it was answered with.</div>
      ) : (
        <Inspector title={shortKey(selected)} value={endpoints[selected]}>
          <Group gap="xs" mb="xs">
            <Button size="compact-xs" variant="default" onClick={() => void controller.expireAll({ testKey })}>
              Expire
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => void controller.invalidateAll({ testKey })}>
              Invalidate
            </Button>
          </Group>
          {error !== undefined && <p className={classes['bad']}>{String(error)}</p>}
        </Inspector>
      )}
    </div>
  )
}

function Freshness({ meta, now }: { meta: Meta; now: number }): ReactNode {
  const [color, label] = meta.error
    ? ['red', `error ${meta.error.status ?? ''}`]
    : meta.invalidated
      ? ['orange', 'invalid']
      : meta.expiresAt > now
        ? ['teal', meta.expiresAt === Infinity ? 'fresh' : `fresh ${formatAge(meta.expiresAt - now)}`]
        : ['gray', `stale ${formatAge(now - meta.date)}`]
  return <Tag color={color!}>{label}</Tag>
}
