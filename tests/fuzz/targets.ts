// The targets of fuzzing: each creates inputs, and throws if the library breaks a promise.
import fc from 'fast-check'
import {
  Collection,
  createStore,
  deserializeState,
  Entity,
  Invalidate,
  isRestitchError,
  resource,
  RestEndpoint,
  serializeState,
  type Store,
  Union,
  Values,
} from 'restitch'

export interface Target<T = any> {
  readonly name: string
  readonly input: fc.Arbitrary<T>
  check(input: T): void | Promise<void>
}

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
class Comment extends Entity {
  id = 0
  text = ''
  author = User.fromJS()
  static override key = 'Comment'
  static override schema = { author: User }
}
class Post extends Entity {
  id = ''
  type = 'post'
  title = ''
  author = User.fromJS()
  comments: Comment[] = []
  static override key = 'Post'
  static override schema = { author: User, comments: new Collection([Comment]) }
}
class Link extends Entity {
  id = ''
  type = 'link'
  static override key = 'Link'
}

const item = new Union({ post: Post, link: Link }, 'type')
const Posts = resource({ path: '/posts/:id', schema: Post, paginationField: 'cursor' })
const ENDPOINTS = [
  Posts.get,
  Posts.getList,
  new RestEndpoint({ path: '/plain' }),
  new RestEndpoint({ path: '/array', schema: [Post] }),
  new RestEndpoint({ path: '/envelope', schema: { data: { items: [Post], total: 0 }, me: User } }),
  new RestEndpoint({ path: '/map', schema: new Collection(new Values(Post)) }),
  new RestEndpoint({ path: '/feed', schema: new Collection([item]) }),
  new RestEndpoint({ path: '/gone', schema: new Invalidate(Post) }),
]
const ARGS = { id: '1' }
const GOOD = { id: 'good', type: 'post', title: 'Good', author: { id: 'ann', name: 'Ann' }, comments: [] }

const someId = fc.constantFrom<unknown>('1', '2', 3, '', '__proto__', null, 1.5, true)
const someKey = fc.constantFrom(
  'id',
  'type',
  'title',
  'author',
  'comments',
  'data',
  'items',
  '__proto__',
  'constructor',
)
const someJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: someId },
    fc.string({ maxLength: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(someKey, tie('value')), { maxLength: 4 }).map(toObject),
  ),
})).value
const someUser = fc.record({ id: someId, name: fc.string() }, { requiredKeys: [] })
const somePost = fc.record(
  {
    id: someId,
    type: fc.constantFrom('post', 'link', 'other'),
    title: fc.oneof(fc.string(), someJson),
    author: fc.oneof(someUser, someId),
    comments: fc.oneof(fc.array(fc.record({ id: someId, author: someUser }), { maxLength: 3 }), someJson),
  },
  { requiredKeys: [] },
)
const somePosts = fc.array(fc.oneof({ weight: 5, arbitrary: somePost }, someJson), { maxLength: 4 })
// Mostly what the schema of one endpoint or another expects, with something else in places.
const someBody = fc.oneof(
  somePost,
  somePosts,
  somePosts.map((items) => ({ data: { items, total: items.length }, me: { id: 'me' } })),
  fc.dictionary(fc.string({ maxLength: 4 }), somePost, { maxKeys: 3 }),
  someId,
  someJson,
)

/** Members as `JSON.parse` makes them: `__proto__` is a member like any other. */
function toObject(members: readonly (readonly [string, unknown])[]): unknown {
  const object = {}
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

/** Runs it. An error that says what is wrong with the input is as good as a result: of the library, or with a status. */
async function attempt<T>(run: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (isRestitchError(error) || typeof (error as { status?: unknown }).status === 'number') {
      return undefined
    }
    throw error
  }
}

/** A store accepts any response after any history, shows it, and can be saved. */
async function expectUsable({ controller }: Store): Promise<void> {
  await controller.setResponse(Posts.get, { id: 'good' }, GOOD)
  const { data } = controller.getResponse(Posts.get, { id: 'good' }, controller.getState())
  if (data?.title !== 'Good' || data.author.name !== 'Ann') {
    throw new Error(`The store shows ${JSON.stringify(data)} after a good response`)
  }
  for (const endpoint of ENDPOINTS) {
    controller.getResponse(endpoint as typeof Posts.get, ARGS, controller.getState())
  }
  const text = serializeState(controller.getState())
  const again = serializeState(deserializeState(text))
  if (strip(text) !== strip(again)) {
    throw new Error(`A saved state is another after it was restored: ${text} ${again}`)
  }
  if (Object.keys(Object.prototype).length > 0) {
    throw new Error('Object.prototype was changed')
  }
}

/** Without the times, which are counted from the moment of restoring. */
function strip(text: string): string {
  return text.replaceAll(/"(now|fetchedAt|date|expiresAt)":[\d.]+/g, '')
}

const bodies: Target<[endpoint: number, body: unknown][]> = {
  name: 'response bodies',
  input: fc.array(fc.tuple(fc.nat(ENDPOINTS.length - 1), someBody), { minLength: 1, maxLength: 6 }),
  async check(responses) {
    const store = createStore({ managers: [] })
    try {
      for (const [index, body] of responses) {
        await attempt(() => store.controller.setResponse(ENDPOINTS[index] as typeof Posts.get, ARGS, body as never))
      }
      await expectUsable(store)
    } finally {
      store.stop()
    }
  },
}

const someTemplate = fc
  .array(
    fc.constantFrom(
      '/',
      ':a',
      ':b',
      ':"a-b"',
      '*rest',
      '{',
      '}',
      '\\',
      '\\:',
      '?',
      '&',
      '=',
      '-',
      '.',
      'x',
      'ä',
      '%2F',
      ':',
      '"',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
const someValue = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom<unknown>('', '..', '.', 'a/b', '%', null, undefined, true, [], ['a', 'b'], {}, 10n),
)
const someParams = fc.dictionary(fc.constantFrom('a', 'b', 'a-b', 'rest', 'q', '__proto__'), someValue, { maxKeys: 4 })

const urls: Target<[template: string, params: Record<string, unknown>]> = {
  name: 'templates and parameters',
  input: fc.tuple(someTemplate, someParams),
  async check([path, params]) {
    await attempt(() => {
      const endpoint: any = new RestEndpoint({ path: path as '/', urlPrefix: 'http://x' })
      const key: string = endpoint.key(params)
      const turned = Object.fromEntries(Object.entries(params).toReversed())
      if (endpoint.key(turned) !== key) {
        throw new Error(`The order of parameters changes the key ${key}`)
      }
      if (!endpoint.testKey(key)) {
        throw new Error(`testKey refuses the key ${key} of its own endpoint`)
      }
      void new URL(endpoint.url(params))
    })
  },
}

const someType = fc.constantFrom(
  'application/json',
  'application/problem+json',
  'text/html',
  'image/png',
  '',
  'a/b;c',
  'JSON',
)
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  someJson.map((value) => new TextEncoder().encode(JSON.stringify(value))),
  fc
    .constantFrom('{', '[1', '"\\ud800"', '\uFEFF{}', '<html>', '{"message":5}', '{"__proto__":{"a":1}}')
    .map((text) => new TextEncoder().encode(text)),
)

const responses: Target<[status: number, type: string, link: string, body: Uint8Array<ArrayBuffer>]> = {
  name: 'responses',
  input: fc.tuple(
    fc.constantFrom(200, 201, 204, 205, 304, 400, 401, 404, 422, 429, 500, 503),
    someType,
    fc.stringMatching(/^[ -~]{0,20}$/),
    someBytes as fc.Arbitrary<Uint8Array<ArrayBuffer>>,
  ),
  async check([status, type, text, body]) {
    const store = createStore()
    const answer = (): Promise<Response> =>
      Promise.resolve(
        new Response([204, 205, 304].includes(status) ? null : body, {
          status,
          headers: { 'content-type': type, 'retry-after': text, link: text, 'content-length': String(body.length) },
        }),
      )
    const fetchBefore = globalThis.fetch
    globalThis.fetch = answer
    try {
      await attempt(() => store.controller.fetch(Posts.get, { id: '1' }))
      await attempt(() => store.controller.fetch(Posts.getList))
      await attempt(() => store.controller.fetch(Posts.getList.push, { title: 'New' }))
      await attempt(() => store.controller.fetch(Posts.delete, { id: '1' }))
      await expectUsable(store)
    } finally {
      globalThis.fetch = fetchBefore
      store.stop()
    }
  },
}

/** A state as an app saves it. */
function savedState(): Promise<string> {
  const { controller, stop } = createStore({ managers: [] })
  return controller
    .setResponse(Posts.getList, {}, [GOOD, { id: '2', comments: [{ id: 1, author: { id: 'ben' } }] }] as never)
    .then(() =>
      controller.setResponse(ENDPOINTS[4] as any, ARGS, { data: { items: [GOOD], total: 1 }, me: { id: 'me' } }),
    )
    .then(() => serializeState(controller.getState()))
    .finally(stop)
}

type Edit = readonly [place: number, text: string | undefined, value: unknown]
const states: Target<Edit[]> = {
  name: 'saved states',
  input: fc.array(fc.tuple(fc.nat(10_000), fc.option(fc.string({ maxLength: 3 }), { nil: undefined }), someJson), {
    minLength: 1,
    maxLength: 3,
  }),
  async check(edits) {
    let text = await savedState()
    for (const [place, cut, value] of edits) {
      text = cut === undefined ? replaceNode(text, place, value) : splice(text, place, cut)
    }
    const store = createStore({ managers: [], initialState: deserializeState(text) })
    try {
      for (const endpoint of ENDPOINTS) {
        store.controller.getResponse(endpoint as typeof Posts.get, ARGS, store.controller.getState())
      }
      await expectUsable(store)
    } finally {
      store.stop()
    }
  },
}

function splice(text: string, place: number, cut: string): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + cut + text.slice(at + 1)
}

/** Puts `value` instead of one of the values in the JSON. */
function replaceNode(text: string, place: number, value: unknown): string {
  let left = Infinity
  const visit = (_name: string, node: unknown): unknown => (left-- === 0 ? value : node)
  let count = 0
  try {
    JSON.parse(text, (_name, node: unknown) => {
      count += 1
      return node
    })
  } catch {
    return text
  }
  left = place % count
  return JSON.stringify(JSON.parse(text, visit)) ?? ''
}

export const TARGETS: readonly Target[] = [bodies, urls, responses, states]
