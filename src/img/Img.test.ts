// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react'
import { createElement as h, createRef, type ReactNode, StrictMode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { DataProvider } from '../react/DataProvider.ts'
import { tick } from '../testing/TestClock.ts'
import { getImage } from './getImage.ts'
import { Img } from './Img.ts'

class FakeImage {
  static made: FakeImage[] = []
  src = ''
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  constructor() {
    FakeImage.made.push(this)
  }
}
let store: Store
beforeEach(() => {
  FakeImage.made = []
  vi.stubGlobal('Image', FakeImage)
  store = createStore()
})
afterEach(() => {
  cleanup()
  store.stop()
  vi.unstubAllGlobals()
})

const show = (...children: ReactNode[]): Promise<ReturnType<typeof render>> =>
  act(async () =>
    render(h(StrictMode, null, h(DataProvider, { store }, h(Suspense, { fallback: 'loading' }, ...children)))),
  )
const html = (): string => document.body.innerHTML

test.each(['load', 'error'] as const)('IMG-1 it resolves to the address at %s', async (event) => {
  expect(getImage.key({ src: '/a.png' })).toBe('GET /a.png')
  expect(getImage.schema).toBeUndefined()
  expect(getImage.sideEffect).toBeUndefined()
  const answer = store.controller.fetch(getImage, { src: '/a.png' })
  const [image] = FakeImage.made
  expect(image!.src).toBe('/a.png')
  image![`on${event}`]!()
  expect(await answer).toBe('/a.png')
  expect([image!.onload, image!.onerror]).toEqual([null, null])
  expect(await store.controller.fetchIfStale(getImage, { src: '/a.png' })).toBe('/a.png')
})

test('IMG-2 IMG-4 it suspends until the image is there, then passes its props on', async () => {
  const ref = createRef<HTMLImageElement>()
  await show(
    h(Img, { src: '/a.png', alt: 'A', srcSet: '/b.png 2x', sizes: '10px', crossOrigin: 'anonymous', ref }),
    h(Img, { src: '/a.png' }),
  )
  expect(html()).toContain('loading')
  expect(FakeImage.made.map(({ src }) => src)).toEqual(['/a.png'])
  await act(async () => {
    FakeImage.made[0]!.onload!()
    await tick()
  })
  const [first, second] = document.querySelectorAll('img')
  expect(ref.current).toBe(first)
  expect([first!.alt, first!.srcset, first!.sizes, first!.crossOrigin]).toEqual(['A', '/b.png 2x', '10px', 'anonymous'])
  expect(second!.getAttribute('src')).toBe('/a.png')
})

test('IMG-2 without an address it is there at once, and another component can show it', async () => {
  const Picture = ({ src = 'none', label }: { src?: string; label: string }): ReactNode => `${label}: ${src}`
  await show(h(Img<typeof Picture>, { component: Picture, label: 'empty' }), h(Img, { alt: 'x' }))
  expect(html()).toContain('empty: none')
  expect(FakeImage.made).toEqual([])
})

test('IMG-3 where there is no Image it resolves at once', async () => {
  vi.stubGlobal('Image', undefined)
  expect(await getImage({ src: '/a.png' })).toBe('/a.png')
})

test('IMG-4 an abort lets the image go', async () => {
  const answer = store.controller.fetch(getImage, { src: '/a.png' })
  const [image] = FakeImage.made
  await store.controller.abort(getImage, { src: '/a.png' })
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect([image!.onload, image!.onerror, image!.src]).toEqual([null, null, ''])
})
