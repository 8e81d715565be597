'use client'
import { type ComponentPropsWithRef, createElement, type ElementType, forwardRef, type ReactElement } from 'react'
import { useSuspense } from '../react/hooks/useSuspense.ts'
import { getImage } from './getImage.ts'

/** Props of {@link Img}: those of the element or component that shows the image. */
export type ImgProps<C extends ElementType = 'img'> = Omit<ComponentPropsWithRef<C>, 'component'> & {
  readonly src?: string | undefined
  /** The component that shows the image; by default `img`. */
  readonly component?: C | undefined
}

/**
 * An image that suspends until it is loaded, so that it appears together with what is around it.
 *
 * @example
 * <Suspense fallback={<Spinner />}><Img src={user.avatar} alt={user.name} /></Suspense>
 * @see docs/api/Img.md
 */
export const Img: <C extends ElementType = 'img'>(props: ImgProps<C>) => ReactElement = /* @__PURE__ */ forwardRef(
  ({ component = 'img', ...props }: any, ref) => {
    useSuspense(getImage, props.src ? { src: props.src } : null)
    return createElement(component, { ...props, ref })
  },
) as never
