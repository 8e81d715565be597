// Shared by the tests of React: a screen, and a store whose clock the test moves.
import { act, cleanup, render, type RenderResult } from '@testing-library/react'
import { createElement as h, type ReactNode, StrictMode, Suspense, version } from 'react'
import { createStore, Entity, type Store } from 'restitch'
import { DataProvider, ErrorBoundary } from 'restitch/react'
import { afterEach } from 'vitest'
import { TestClock, tick } from '../../src/testing/TestClock.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'

export { act, h, TestClock, tick, deferredEndpoint }

/** It has neither `use` nor Activity. */
export const is18: boolean = version.startsWith('18.')

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

export interface Screen extends RenderResult {
  readonly clock: TestClock
  readonly store: Store
  readonly text: () => string
}

afterEach(cleanup)

/** A store with a clock that stands. */
export function open(options: object = {}): { clock: TestClock; store: Store } {
  const clock = new TestClock()
  return { clock, store: createStore({ clock, ...options }) }
}

/** Puts a tree on the screen, with a boundary around it that says "loading" and "failed: …". */
export async function show(
  tree: ReactNode,
  { strict = false, ...given }: { strict?: boolean; clock?: TestClock; store?: Store } = {},
): Promise<Screen> {
  const { clock, store } = given.store ? (given as { clock: TestClock; store: Store }) : open()
  const wrapper = ({ children }: { children?: ReactNode }): ReactNode => {
    const inside = h(
      DataProvider,
      { store },
      h(Suspense, { fallback: 'loading' }, h(ErrorBoundary<Error>, { fallbackComponent: Failed }, children)),
    )
    return strict ? h(StrictMode, null, inside) : inside
  }
  const screen: any = await act(async () => render(tree, { wrapper }))
  return Object.assign(screen, { clock, store, text: () => screen.container.textContent })
}

export function Failed({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary(): void }): ReactNode {
  return h('button', { onClick: resetErrorBoundary }, `failed: ${error.message}`)
}

/** Does something, and lets the screen follow. */
export function settle<T>(run: () => T | Promise<T>): Promise<T> {
  return act(async () => {
    const value = await run()
    await tick()
    return value
  })
}

/** A component that counts its renders. */
export function counted<P extends object>(
  use: (props: P) => ReactNode,
): ((props: P) => ReactNode) & { renders: number } {
  const Counted = (props: P): ReactNode => {
    Counted.renders++
    return use(props)
  }
  Counted.renders = 0
  return Counted
}
