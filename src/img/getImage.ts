import { Endpoint } from '../endpoint/Endpoint.ts'
import type { EndpointInstance, FetchFunction } from '../endpoint/EndpointOptions.ts'

/**
 * Loads an image in advance and resolves to its address, also when it cannot be loaded: the element shows that itself.
 *
 * @example
 * await controller.fetch(getImage, { src: '/logo.png' })
 * @see docs/api/Img.md#getimage
 */
export const getImage: EndpointInstance<
  FetchFunction<[{ src: string }], string>,
  undefined,
  undefined
> = /* @__PURE__ */ new Endpoint(
  function (this: { readonly signal?: AbortSignal }, { src }: { src: string }): Promise<string> {
    const { signal } = this
    return new Promise((resolve) => {
      // Servers, workers and native apps have none: the component that shows the image loads it there.
      if (typeof Image === 'undefined') {
        return resolve(src)
      }
      const image = new Image()
      const end = (event?: Event): void => {
        Object.assign(image, { onload: null, onerror: null })
        signal?.removeEventListener('abort', end)
        // This makes a browser stop loading.
        if (event?.type === 'abort') {
          image.src = ''
        } else {
          resolve(src)
        }
      }
      // Not listeners: tests replace `Image` with classes that know no more than these two, and pass no event.
      Object.assign(image, { onload: end, onerror: end })
      signal?.addEventListener('abort', end)
      image.src = src
    })
  } as never,
  { name: 'getImage', key: ({ src }: { src: string }) => `GET ${src}` },
) as never
