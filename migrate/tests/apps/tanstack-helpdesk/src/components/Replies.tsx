import { Fragment, useState } from 'react'
import { useAddReply, useReplies } from '../api/replies'

export function Replies({ ticketId }: { ticketId: string }) {
  const [text, setText] = useState('')
  const { data, status, fetchNextPage, hasNextPage, isFetchingNextPage } = useReplies(ticketId)
  const add = useAddReply({ onSuccess: () => setText('') })
  if (status === 'pending') return <p>Loading replies…</p>
  if (status === 'error') return <p role="alert">No replies</p>
  return (
    <section aria-label="Replies">
      {data.pages.map((page, index) => (
        <Fragment key={index}>
          {page.items.map((reply) => (
            <p key={reply.id}>
              {reply.author.name}: {reply.text}
            </p>
          ))}
        </Fragment>
      ))}
      {hasNextPage && (
        <button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More replies
        </button>
      )}
      <input aria-label="Reply" value={text} onChange={(event) => setText(event.target.value)} />
      <button disabled={add.isPending || text === ''} onClick={() => add.mutate({ ticketId, text })}>
        Send
      </button>
    </section>
  )
}
