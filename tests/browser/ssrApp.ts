// The app that a server renders and Chromium takes over: both import this file.
import { type ComponentType, createElement as h, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Entity, RestEndpoint } from 'restitch'
import { DataProvider, useController, useDLE, useSuspense } from 'restitch/react'
import { awaitInitialData } from 'restitch/react/ssr'

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'Post'
}

/** The actions of the test in the page. */
interface Hooks {
  mounted: string[]
  faults: string[]
  change(): void
  letGo(): void
}

interface Named {
  readonly id: string
  readonly name?: string
}

export function createApp(origin: string, Late?: ComponentType<Named>): ReactNode {
  const getPost = new RestEndpoint({ urlPrefix: origin, path: '/posts/:id', schema: Post })
  const Title = ({ id, name = id }: Named): ReactNode => {
    const controller = useController()
    const { title } = useSuspense(getPost, { id })
    useEffect(() => {
      const hooks = globalThis as unknown as Hooks
      hooks.mounted.push(name)
      hooks.change = () => void controller.set(Post, { id: '1' }, { id: '1', title: 'changed' })
    }, [])
    return h('p', { id: `post-${name}` }, title)
  }
  const Quiet = (): ReactNode => h('p', { id: 'quiet' }, useDLE(getPost, { id: 'quiet' }).data?.title ?? 'loading')
  const LateTitle = Late ?? Title
  const within = (key: string, child: ReactNode): ReactNode => h(Suspense, { key, fallback: 'loading' }, child)
  return [
    within('one', h(Title, { id: '1' })),
    within('slow', h(Title, { id: 'slow' })),
    within('quiet', h(Quiet)),
    within('late', h(LateTitle, { id: '1', name: 'late' })),
  ]
}

/** Hydrates the page; its last part when the test says so. */
export async function takeOver(): Promise<void> {
  const hooks = globalThis as unknown as Hooks
  hooks.mounted = []
  hooks.faults = []
  let letGo!: () => void
  const told = new Promise<void>((done) => void (letGo = done))
  hooks.letGo = () => letGo()
  const Late = lazy(async () => {
    await told
    const [, , , late] = createApp(location.origin) as {
      props: { children: { type: ComponentType<{ id: string }> } }
    }[]
    return { default: late!.props.children.type }
  })
  const initialState = await awaitInitialData()
  hydrateRoot(document.getElementById('root')!, h(DataProvider, { initialState }, createApp(location.origin, Late)), {
    onRecoverableError: (error) => void hooks.faults.push(String(error)),
  })
}
