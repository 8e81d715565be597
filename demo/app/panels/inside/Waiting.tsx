import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FetchAction, OptimisticAction } from 'restitch'
import { useController } from 'restitch/react'
import { readFlights } from '../InsideManager.ts'
import { formatAge, shortKey } from './format.ts'
import classes from './inside.module.css'
import { Tag } from './Tag.tsx'
import { useInside, useNow } from './useInside.ts'
import { VirtualList } from './VirtualList.tsx'

/** Requests that have not been answered. */
export function Flights(): ReactNode {
  useInside()
  const now = useNow(100)
  const controller = useController()
  return (
    <div className={classes['column']}>
      <VirtualList
        label="Requests in flight"
        items={readFlights()}
        keyOf={(action: FetchAction) => action.meta.requestId}
        empty="No request is in flight. Turn the latency up in “Break it” to see some."
      >
        {({ key, meta, endpoint, args }) => (
          <>
            <span className={`${classes['main']} ${classes['mono']}`}>{shortKey(key)}</span>
            <Tag color={endpoint.sideEffect ? 'orange' : 'blue'}>
              {endpoint.sideEffect ? 'write' : meta.auto ? 'reader' : 'read'}
            </Tag>
            <span className={classes['dim']} style={{ width: 52, textAlign: 'end' }}>
              {formatAge(now - meta.fetchedAt)}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Abort ${shortKey(key)}`}
              onClick={() => void controller.abort(endpoint, ...args)}
            >
              Abort
            </Button>
          </>
        )}
      </VirtualList>
    </div>
  )
}

/** What the screen shows already and the server has not confirmed. */
export function Pending(): ReactNode {
  const { optimistic } = useInside()
  const now = useNow(100)
  return (
    <div className={classes['column']}>
      <VirtualList
        label="Pending operations"
        items={optimistic as readonly OptimisticAction[]}
        keyOf={({ meta }) => meta.requestId}
        empty="Everything on the screen is confirmed by the server."
      >
        {({ key, args, meta }) => (
          <>
            <span className={classes['mono']}>{shortKey(key)}</span>
            <span className={`${classes['main']} ${classes['mono']} ${classes['dim']}`}>
              {JSON.stringify(args.length > 1 ? args.at(-1) : args[0])}
            </span>
            <span className={classes['dim']}>{formatAge(now - meta.fetchedAt)}</span>
          </>
        )}
      </VirtualList>
    </div>
  )
}
