import { client } from './client'

export interface Author {
  id: string
  name: string
}

export interface Post {
  id: string
  text: string
  likes: number
  liked: boolean
  author: Author
  createdAt: string
}

export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

export interface Comment {
  id: string
  postId: string
  text: string
}

export const getFeed = (cursor: string | null) =>
  client.get<Page<Post>>('/posts', { params: { cursor } }).then((response) => response.data)

export const searchPosts = async (q: string) => {
  const { data } = await client.get<Post[]>('/search', { params: { q } })
  return data
}

export const getComments = async (postId: string): Promise<Comment[]> => {
  const response = await client.get(`/posts/${postId}/comments`)
  return response.data
}

export const addComment = async ({ postId, text }: { postId: string; text: string }) => {
  const { data } = await client.post<Comment>(`/posts/${postId}/comments`, { text })
  return data
}

export const likePost = (post: Post) =>
  client
    .patch<Post>(`/posts/${post.id}`, { liked: !post.liked, likes: post.likes + (post.liked ? -1 : 1) })
    .then((r) => r.data)
