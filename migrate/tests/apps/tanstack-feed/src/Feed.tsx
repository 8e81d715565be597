import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { addComment, getComments, getFeed, likePost, type Page, type Post } from './posts'

function useLike() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: likePost,
    onMutate: async (post) => {
      await queryClient.cancelQueries({ queryKey: ['feed'] })
      const previous = queryClient.getQueryData<InfiniteData<Page<Post>>>(['feed'])
      queryClient.setQueryData<InfiniteData<Page<Post>>>(
        ['feed'],
        (old) =>
          old && {
            ...old,
            pages: old.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => (item.id === post.id ? { ...item, liked: !item.liked } : item)),
            })),
          },
      )
      return { previous }
    },
    onError: (_error, _post, context) => {
      queryClient.setQueryData(['feed'], context?.previous)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['feed'] }),
  })
}

function Comments({ postId }: { postId: string }) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const { data: comments, status } = useQuery({
    queryKey: ['comments', postId],
    queryFn: () => getComments(postId),
  })
  const add = useMutation({
    mutationFn: addComment,
    onSuccess: () => {
      setText('')
      return queryClient.invalidateQueries({ queryKey: ['comments', postId] })
    },
  })
  if (status === 'pending') return <p>Loading comments…</p>
  if (status === 'error') return <p role="alert">No comments</p>
  return (
    <section aria-label="Comments">
      {comments?.map((comment) => (
        <p key={comment.id}>{comment.text}</p>
      ))}
      <input aria-label="Comment" value={text} onChange={(event) => setText(event.target.value)} />
      <button disabled={add.isPending} onClick={() => add.mutate({ postId, text })}>
        Send
      </button>
    </section>
  )
}

export function Feed() {
  const [open, setOpen] = useState<string>()
  const like = useLike()
  const { data, error, isLoading, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['feed'],
    queryFn: ({ pageParam }) => getFeed(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (lastPage) => lastPage.nextCursor,
  })
  if (isLoading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return (
    <main>
      {data?.pages.map((page, index) => (
        <Fragment key={index}>
          {page.items.map((post) => (
            <article key={post.id} aria-label={post.text}>
              <p>
                {post.author.name}: {post.text}
              </p>
              <button onClick={() => like.mutate(post)}>
                {post.liked ? `Unlike ${post.likes}` : `Like ${post.likes}`}
              </button>
              <button onClick={() => setOpen(post.id)}>Comments</button>
              {open === post.id && <Comments postId={post.id} />}
            </article>
          ))}
        </Fragment>
      ))}
      <button disabled={!hasNextPage || isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading more…' : hasNextPage ? 'More' : 'The end'}
      </button>
    </main>
  )
}
