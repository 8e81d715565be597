import { createElement as h, createRef, type ReactNode } from 'react'
import { expectTypeOf, test } from 'vitest'
import { getImage } from './getImage.ts'
import { Img } from './Img.ts'

test('IMG-2 the props are those of what shows the image', () => {
  const ref = createRef<HTMLImageElement>()
  Img({ src: '/a.png', alt: '', ref })
  // @ts-expect-error -- an image has no such prop
  Img({ src: '/a.png', href: '' })
  const Picture = (props: { src?: string; label: string }): ReactNode => props.label
  Img({ component: Picture, label: 'x' })
  // @ts-expect-error -- it wants a label
  Img({ component: Picture })
  h(Img, { src: '/a.png' })
  expectTypeOf(getImage).parameters.toEqualTypeOf<[{ src: string }]>()
  expectTypeOf(getImage).returns.resolves.toEqualTypeOf<string>()
})
