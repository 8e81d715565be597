import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { searchPosts } from './posts'

export function Search() {
  const [text, setText] = useState('')
  const q = useDeferredValue(text)
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['search', q],
    queryFn: () => searchPosts(q),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  })
  return (
    <form role="search">
      <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />
      {isFetching && <span>Searching…</span>}
      <ul aria-label="Results" style={{ opacity: isPlaceholderData ? 0.5 : 1 }}>
        {data?.map((post) => (
          <li key={post.id}>{post.text}</li>
        ))}
      </ul>
    </form>
  )
}
