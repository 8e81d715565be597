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
      const turn = (on: 'addEventListener' | 'removeEventListener'): void => {
        for (const type of ['load', 'error']) {
          image[on](type, end)
        }
        signal?.[on]('abort', end)
      }
      const end = ({ type }: Event): void => {
        turn('removeEventListener')
        // This makes a browser stop loading.
        if (type === 'abort') {
          image.src = ''
        } else {
          resolve(src)
        }
      }
      turn('addEventListener')
      image.src = src
    })
  } as never,
  { name: 'getImage', key: ({ src }: { src: string }) => `GET ${src}` },
) as never
