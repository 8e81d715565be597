// Runs the bundle of tests/bundlers/app where there is no more than a browser, or React Native, has. There is no `process`.
import { createContext, runInContext } from 'node:vm'

const SHARED = {
  AbortController,
  AbortSignal,
  Blob,
  FormData,
  Headers,
  MessageChannel,
  ReadableStream,
  Request,
  Response,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  performance,
  queueMicrotask,
  setTimeout,
}

// JSON is parsed inside, so that objects have the prototypes of the program that reads them.
const LOCAL_JSON = `{
  const Outer = Response
  globalThis.Response = class Response extends Outer {
    json() {
      return this.text().then(JSON.parse)
    }
  }
}`
// React Native has neither streams in responses nor the newer statics of AbortSignal.
const NATIVE = `{
  globalThis.global = globalThis.window = globalThis
  globalThis.navigator = { product: 'ReactNative' }
  Object.defineProperty(Response.prototype, 'body', { value: undefined })
  const { prototype } = AbortSignal
  globalThis.AbortSignal = function AbortSignal() {}
  AbortSignal.prototype = prototype
}`

/** `platform` is `browser` or `native`. Returns what the program left in `finished`. */
export async function runBundle(text, platform) {
  const ignore = () => {}
  const console = { error: ignore, info: ignore, log: ignore, warn: ignore }
  const context = createContext({ ...SHARED, console })
  runInContext(LOCAL_JSON, context)
  if (platform === 'native') {
    runInContext(NATIVE, context)
  }
  runInContext(text, context)
  // Out of the other realm, whose objects are not deeply equal to ours.
  return JSON.parse(JSON.stringify(await context.finished))
}
