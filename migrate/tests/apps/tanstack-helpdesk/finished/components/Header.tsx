import { useState } from 'react'
import { useFetching, useMutating } from 'restitch/react'
import { useNotifications, useReadAll, useReadNotification } from '../api/notifications'
import { useSearch } from '../api/search'
import { useMe, useSignOut, useUpdateMe } from '../api/session'
import { useStats } from '../api/stats'
import { useDebounced } from '../lib/useDebounced'

export function Header({ onOpen, onSignedOut }: { onOpen: (id: string) => void; onSignedOut: () => void }) {
  const { data: me } = useMe()
  const { data: stats } = useStats()
  const isFetching = useFetching()
  const isMutating = useMutating()
  const signOut = useSignOut({ onSuccess: onSignedOut })
  const rename = useUpdateMe()
  return (
    <header>
      <b>{me?.name}</b>
      <button onClick={() => rename.mutate({ name: `${me!.name}!` })}>Rename me</button>
      {stats && (
        <p>
          {stats.open} open, {stats.waiting} waiting, {stats.closed} closed
        </p>
      )}
      {isFetching > 0 && <i>Loading</i>}
      {isMutating > 0 && <i>Saving</i>}
      <Notifications onOpen={onOpen} />
      <Search onOpen={onOpen} />
      <button onClick={signOut}>Sign out</button>
    </header>
  )
}

function Notifications({ onOpen }: { onOpen: (id: string) => void }) {
  const { data: all = [] } = useNotifications()
  const { mutate: read } = useReadNotification()
  const readAll = useReadAll()
  const unread = all.filter((one) => !one.read)
  return (
    <section aria-label="Notifications">
      <h3>{unread.length} unread</h3>
      {unread.map((one) => (
        <button
          key={one.id}
          onClick={() => {
            read({ notificationId: one.id })
            onOpen(one.ticketId)
          }}
        >
          {one.text}
        </button>
      ))}
      <button disabled={unread.length === 0} onClick={() => readAll.mutate()}>
        Mark all as read
      </button>
    </section>
  )
}

function Search({ onOpen }: { onOpen: (id: string) => void }) {
  const [text, setText] = useState('')
  const query = useDebounced(text, 20)
  const { data: found, fetching: isFetching } = useSearch(query)
  return (
    <section aria-label="Search">
      <input aria-label="Search tickets" value={text} onChange={(event) => setText(event.target.value)} />
      {isFetching && <p>Searching…</p>}
      {found?.map(({ id, subject, status }) => (
        <button key={id} onClick={() => onOpen(id)}>
          {subject}: {status}
        </button>
      ))}
    </section>
  )
}
