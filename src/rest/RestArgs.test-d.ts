import { expectTypeOf, test } from 'vitest'
import type { MethodOf, RestArgs, RestParsed, RestResult, SideEffectOf } from './RestArgs.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import type { RestGenerics } from './RestOptions.ts'

type Id = { id: string | number }
type Draft = { title: string }

test('TY-1 TY-2 the first argument comes from the path', () => {
  expectTypeOf<RestArgs<{ path: '/users/:id' }>>().toEqualTypeOf<[params: Id]>()
  expectTypeOf<RestArgs<{ path: '/users' }>>().toEqualTypeOf<[]>()
  expectTypeOf<RestArgs<{ path: '/users{/:id}' }>>().toEqualTypeOf<
    [params?: { id?: string | number | undefined } | undefined]
  >()
})

test('TY-3 searchParams are joined with the path', () => {
  expectTypeOf<RestArgs<{ path: '/users'; searchParams: { q: string } }>>().toEqualTypeOf<[params: { q: string }]>()
  expectTypeOf<RestArgs<{ path: '/users'; searchParams: { q?: string } }>>().toEqualTypeOf<
    [params?: { q?: string } | undefined]
  >()
  expectTypeOf<RestArgs<{ path: '/users'; searchParams: { q: string } | undefined }>>().toEqualTypeOf<
    [params?: { q: string } | undefined]
  >()
  expectTypeOf<RestArgs<{ path: '/users/:id'; searchParams: { q: string } }>>().toEqualTypeOf<
    [params: { q: string; id: string | number }]
  >()
  expectTypeOf<RestArgs<{ path: '/users/:id'; searchParams: { q: string } | undefined }>>().toEqualTypeOf<
    [params: { q: string; id: string | number } | Id]
  >()
  expectTypeOf<RestArgs<{ path: '/users/:id'; searchParams: undefined }>>().toEqualTypeOf<[params: Id]>()
  expectTypeOf<[{ id: number; anything: boolean }]>().toExtend<RestArgs<{ path: '/users/:id'; searchParams: any }>>()
})

test('TY-4 ARG-1 methods that take a body', () => {
  type With<M extends string> = RestArgs<{ path: '/users'; method: M; body: Draft }>
  expectTypeOf<With<'POST'>>().toEqualTypeOf<[body: Draft]>()
  expectTypeOf<With<'PUT'>>().toEqualTypeOf<[body: Draft]>()
  expectTypeOf<With<'patch'>>().toEqualTypeOf<[body: Draft]>()
  expectTypeOf<With<'PURGE'>>().toEqualTypeOf<[body: Draft]>()
  expectTypeOf<With<'DELETE'>>().toEqualTypeOf<[body: Draft]>()
  expectTypeOf<With<'GET'>>().toEqualTypeOf<[]>()
  expectTypeOf<With<'head'>>().toEqualTypeOf<[]>()
  expectTypeOf<With<'OPTIONS'>>().toEqualTypeOf<[]>()
  expectTypeOf<RestArgs<{ path: '/users/:id'; method: 'DELETE' }>>().toEqualTypeOf<[params: Id]>()
  expectTypeOf<RestArgs<{ path: '/users/:id'; body: Draft }>>().toEqualTypeOf<[params: Id]>()
})

test('TY-4 the body is any unless given, and undefined removes it', () => {
  expectTypeOf<RestArgs<{ path: '/users'; method: 'POST' }>>().toEqualTypeOf<[body: any]>()
  expectTypeOf<RestArgs<{ path: '/users'; method: 'POST'; body: any }>>().toEqualTypeOf<[body: any]>()
  expectTypeOf<RestArgs<{ path: '/users/:id'; method: 'POST' }>>().toEqualTypeOf<[params: Id, body: any]>()
  expectTypeOf<RestArgs<{ path: '/users/:id'; method: 'POST'; body: undefined }>>().toEqualTypeOf<[params: Id]>()
  expectTypeOf<RestArgs<{ path: '/users'; method: 'POST'; body: Draft | undefined }>>().toEqualTypeOf<
    [body?: Draft | undefined]
  >()
  expectTypeOf<RestArgs<{ path: '/users/:id'; method: 'POST'; body: Draft }>>().toEqualTypeOf<
    [params: Id, body: Draft]
  >()
  expectTypeOf<RestArgs<{ path: '/users{/:id}'; method: 'POST'; body: Draft }>>().toEqualTypeOf<
    [body: Draft] | [params: { id?: string | number | undefined }, body: Draft]
  >()
  expectTypeOf<
    RestArgs<{ path: '/users'; searchParams: { q: string } | undefined; method: 'POST'; body: Draft }>
  >().toEqualTypeOf<[body: Draft] | [params: { q: string } | undefined, body: Draft]>()
})

test('RE-3 RE-4 method and side effect follow from each other', () => {
  expectTypeOf<MethodOf<{ path: '/' }>>().toEqualTypeOf<'GET'>()
  expectTypeOf<MethodOf<{ path: '/'; method: 'PUT' }>>().toEqualTypeOf<'PUT'>()
  expectTypeOf<MethodOf<{ path: '/'; sideEffect: true }>>().toEqualTypeOf<'POST'>()
  expectTypeOf<RestArgs<{ path: '/'; sideEffect: true }>>().toEqualTypeOf<[body: any]>()
  expectTypeOf<SideEffectOf<{ path: '/' }>>().toEqualTypeOf<undefined>()
  expectTypeOf<SideEffectOf<{ path: '/'; method: 'options' }>>().toEqualTypeOf<undefined>()
  expectTypeOf<SideEffectOf<{ path: '/'; method: 'DELETE' }>>().toEqualTypeOf<true>()
  expectTypeOf<SideEffectOf<{ path: '/'; method: 'POST'; sideEffect: undefined }>>().toEqualTypeOf<undefined>()
  expectTypeOf<SideEffectOf<{ path: '/'; sideEffect: true }>>().toEqualTypeOf<true>()
})

test('TY-5 TY-6 what a direct call gives', () => {
  type Result<O> = RestResult<{ path: '/' } & O>
  expectTypeOf<Result<{}>>().toBeAny()
  expectTypeOf<Result<{ schema: undefined }>>().toBeAny()
  expectTypeOf<Result<{ content: 'json' }>>().toBeAny()
  expectTypeOf<Result<{ content: 'blob' }>>().toEqualTypeOf<Blob>()
  expectTypeOf<Result<{ content: 'text'; schema: undefined }>>().toEqualTypeOf<string>()
  expectTypeOf<Result<{ content: 'arrayBuffer' }>>().toEqualTypeOf<ArrayBuffer>()
  expectTypeOf<Result<{ content: 'stream' }>>().toEqualTypeOf<ReadableStream<Uint8Array>>()
  expectTypeOf<Result<{ content: 'text'; process(text: string): number }>>().toEqualTypeOf<number>()
  expectTypeOf<Result<{ process(text: string): Promise<number> }>>().toEqualTypeOf<number>()
  expectTypeOf<Result<{ schema: { total: number } }>>().toEqualTypeOf<{ total: number }>()
  expectTypeOf<RestResult<{ path: '/'; content: 'text' }, Promise<boolean>>>().toEqualTypeOf<boolean>()
  expectTypeOf<RestParsed<{ path: '/'; content: 'text' }>>().toEqualTypeOf<string>()
  expectTypeOf<RestParsed<{ path: '/' }>>().toBeAny()
})

test('TY-2 options the compiler does not know leave everything open', () => {
  expectTypeOf<RestArgs<any>>().toBeAny()
  expectTypeOf<RestResult<any>>().toBeAny()
  expectTypeOf<[]>().toExtend<RestArgs<{ path: string }>>()
  expectTypeOf<[{ id: number }]>().toExtend<RestArgs<{ path: string }>>()
  expectTypeOf<{ path: '/users/:id' }>().toExtend<RestGenerics>()
})

test('TY-24 params gives parameters of the path narrower types', () => {
  const act = new RestEndpoint({
    path: '/orders/:id/:action',
    method: 'POST',
    params: {} as { action: 'ship' | 'cancel' },
    body: undefined,
  })
  expectTypeOf<Parameters<typeof act>>().toEqualTypeOf<[params: { id: string | number; action: 'ship' | 'cancel' }]>()
  // @ts-expect-error: another action
  void (() => act({ id: 5, action: 'fly' }))
  expectTypeOf(act.url).parameters.toEqualTypeOf<[params: { id: string | number; action: 'ship' | 'cancel' }]>()
  const optional = new RestEndpoint({
    path: '/reports{/:year}/:kind',
    params: {} as { year: number; kind: 'tax' },
    searchParams: {} as { q?: string },
  })
  expectTypeOf<Parameters<typeof optional>>().toEqualTypeOf<
    [params: { q?: string; year?: number | undefined; kind: 'tax' }]
  >()
  const wild = new RestEndpoint({ path: '/files/*path', params: {} as { path: ['a' | 'b', string] } })
  expectTypeOf<Parameters<typeof wild>>().toEqualTypeOf<[params: { path: ['a' | 'b', string] }]>()
  // Inherited, also where the path is another one.
  const other = act.extend({ path: '/carts/:cart/:action' })
  expectTypeOf<Parameters<typeof other>[0]>().toEqualTypeOf<{ cart: string | number; action: 'ship' | 'cancel' }>()
  const narrower = act.extend({ params: {} as { action: 'ship' } })
  expectTypeOf<Parameters<typeof narrower>[0]>().toEqualTypeOf<{ id: string | number; action: 'ship' }>()
})
