// The names that examples in doc comments use without declaring them: a few entities, endpoints, components and values.
import type { Context, ReactNode } from 'react'
import { createContext } from 'react'
import type { ConnectionListener, Controller } from 'restitch'
import type { Fixture } from 'restitch/mock'
import type { Platform } from 'restitch/react/native'
import { Entity, resource, RestEndpoint } from 'restitch'

export { Suspense, use, useContext } from 'react'
export { createRoot, hydrateRoot } from 'react-dom/client'
export { expect } from 'vitest'
export { createApp, createSSRApp, h, inject } from 'vue'
export { renderToString } from 'vue/server-renderer'
export { z } from 'zod'

export class User extends Entity {
  id = ''
  name = ''
  avatar = ''
  static override key = 'User'
}

export class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

export class Post extends Entity {
  id = ''
  type = 'post'
  userId = ''
  static override key = 'Post'
}

export class Link extends Entity {
  id = ''
  type = 'link'
  static override key = 'Link'
}

export class Room extends Entity {
  id = ''
  static override key = 'Room'
}

export class Rate extends Entity {
  symbol = ''
  value = 0
  static override key = 'Rate'
  override pk(): string {
    return this.symbol
  }
}

export const UserResource = resource({ path: '/users/:id', schema: User })
export const PostResource = resource({
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { userId: number },
  paginationField: 'cursor',
})
export { UserResource as Users }
export const getUser = UserResource.get
export const updateUser = UserResource.partialUpdate
export const getMe = new RestEndpoint({ path: '/me', schema: User })
export const getPosts = PostResource.getList
export const getPrice = new RestEndpoint({ path: '/rates/:symbol', schema: Rate })
export const search = new RestEndpoint({ path: '/search', searchParams: {} as { text: string }, schema: [Post] })

export declare const controller: Controller
export declare const user: User
export const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
export declare const todos: Todo[]
export declare const building: { readonly rooms: string[] }
export declare const id: string
export declare const props: { readonly id: string; readonly symbol: string }
export declare const text: string
export declare const input: string
export declare const token: string
export declare const nonce: string
export declare const element: HTMLElement
export declare const VueApp: import('vue').Component
export declare const netInfoListener: ConnectionListener
export declare const AppState: NonNullable<Platform['AppState']>
export declare const InteractionManager: NonNullable<Platform['InteractionManager']>
export declare const NavigationContext: NonNullable<Platform['NavigationContext']>
export declare const Text: NonNullable<Platform['Text']>
export declare const children: ReactNode

export declare function report(...facts: unknown[]): void
export declare function show(...facts: unknown[]): void
export declare function fetchUser(id: string): Promise<User>
export declare function saveUser(id: string, body: { readonly name: string }): Promise<User>
export declare function fetchPage(page: number): Promise<User[]>

export declare const fixture: Fixture
export declare const fixtures: Fixture[]
export declare const resolverFixtures: Fixture[]
export declare const ann: Partial<User>

export declare function App(): ReactNode
export declare function UserPage(): ReactNode
export declare function Spinner(): ReactNode
export declare function AppProvider(props: { readonly children: ReactNode }): ReactNode
export const TokenContext: Context<string> = createContext('')
export declare const ids: string[]
export declare const navigate: (path: string) => void
