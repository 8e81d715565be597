import { expectTypeOf, test } from 'vitest'
import type { CASES } from './cases.ts'
import type { BrokenPath, PathArgs, PathKeys, ShortenPath } from './PathArgs.ts'

/** The argument that the table promises for a template. */
type Promised<T> = keyof T extends never
  ? unknown
  : Flat<
      { -readonly [K in keyof T as T[K] extends 'required' | 'wildcard' ? K : never]: Value<T[K]> } & {
        -readonly [K in keyof T as T[K] extends 'optional' | 'optional-wildcard' ? K : never]?: Value<T[K]> | undefined
      }
    >
type Value<Kind> = Kind extends 'wildcard' | 'optional-wildcard' ? string[] : string | number
type Flat<T> = { [K in keyof T]: T[K] }

/** The templates whose type is not what the table promises. */
type Wrong<Case> = Case extends readonly [infer T extends string, infer Names]
  ? [PathArgs<T>, Promised<Names>] extends [Promised<Names>, PathArgs<T>]
    ? never
    : T
  : never

test('TY-1 TY-2 the type of each template in the table is what the parser finds at run time', () => {
  expectTypeOf<Wrong<(typeof CASES)[number]>>().toBeNever()
})

test('TY-1 names, optional names and wildcards', () => {
  expectTypeOf<PathArgs<'/flights/:from-:to'>>().toEqualTypeOf<{ from: string | number; to: string | number }>()
  expectTypeOf<PathArgs<'/files/:name.json'>>().toEqualTypeOf<{ name: string | number }>()
  expectTypeOf<PathArgs<'/a{/:x/:y}'>>().toEqualTypeOf<{
    x?: string | number | undefined
    y?: string | number | undefined
  }>()
  expectTypeOf<PathArgs<'/x/:"a/b"'>>().toEqualTypeOf<{ 'a/b': string | number }>()
  expectTypeOf<PathArgs<'/:owner/*path'>>().toEqualTypeOf<{ owner: string | number; path: string[] }>()
  expectTypeOf<PathArgs<'/users'>>().toBeUnknown()
})

test('TY-1 a union of templates gives a union of arguments', () => {
  expectTypeOf<PathArgs<'/a/:x' | '/b/:y'>>().toEqualTypeOf<{ x: string | number } | { y: string | number }>()
})

test('TY-1 a template the compiler does not know takes any parameters', () => {
  expectTypeOf<{ id: number }>().toExtend<PathArgs<string>>()
  expectTypeOf<string>().toEqualTypeOf<PathKeys<string>>()
  expectTypeOf<PathKeys<'/:a{/:b}'>>().toEqualTypeOf<'a' | 'b'>()
})

test('URL-15 URL-16 a broken template says what is wrong', () => {
  expectTypeOf<PathArgs<'/a/{b'>>().toEqualTypeOf<BrokenPath<'"{" is not closed'>>()
  expectTypeOf<PathArgs<'/a{/:x{/:y}'>>().toEqualTypeOf<BrokenPath<'"{" is not closed'>>()
  expectTypeOf<PathArgs<'/a{/*x'>>().toEqualTypeOf<BrokenPath<'"{" is not closed'>>()
  expectTypeOf<PathArgs<'/a}'>>().toEqualTypeOf<BrokenPath<'"}" closes nothing; write "\\\\}" for the character'>>()
  expectTypeOf<PathArgs<'/a/*x}'>>().toEqualTypeOf<BrokenPath<'"}" closes nothing; write "\\\\}" for the character'>>()
  expectTypeOf<PathArgs<'/a/:'>>().toEqualTypeOf<BrokenPath<'a name must follow ":"'>>()
  expectTypeOf<PathArgs<'/a/:/b'>>().toEqualTypeOf<BrokenPath<'a name must follow ":"'>>()
  expectTypeOf<PathArgs<'/a/:5'>>().toEqualTypeOf<BrokenPath<'a name must follow ":"'>>()
  expectTypeOf<PathArgs<'/a/:""'>>().toEqualTypeOf<BrokenPath<'a name must follow ":"'>>()
  expectTypeOf<PathArgs<'/a/*'>>().toEqualTypeOf<BrokenPath<'a name must follow "*"'>>()
  expectTypeOf<PathArgs<'/a/:"b'>>().toEqualTypeOf<BrokenPath<'a quoted name is not closed'>>()
  expectTypeOf<PathArgs<'/a/*"b'>>().toEqualTypeOf<BrokenPath<'a quoted name is not closed'>>()
  expectTypeOf<PathArgs<'/a/*x/b'>>().toEqualTypeOf<BrokenPath<'a *wildcard must come last'>>()
  expectTypeOf<PathArgs<'/a/*x/:id'>>().toEqualTypeOf<BrokenPath<'a *wildcard must come last'>>()
  expectTypeOf<PathArgs<'/a/(b)'>>().toEqualTypeOf<BrokenPath<'"(" has no meaning; write "\\\\(" for the character'>>()
  expectTypeOf<PathArgs<'/a\\'>>().toEqualTypeOf<BrokenPath<'"\\\\" escapes nothing'>>()
})

test('TY-1 a long template does not reach the limits of the compiler', () => {
  type Ten = 'abcdefghi/'
  type Long = `/${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}${Ten}{:id}`
  expectTypeOf<PathArgs<Long>>().toEqualTypeOf<{ id?: string | number | undefined }>()
})

test('RES-1 RES-2 RES-3 the template of the list', () => {
  expectTypeOf<ShortenPath<'/users/:id'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'/:first/:second'>>().toEqualTypeOf<'/:first'>()
  expectTypeOf<ShortenPath<'/:first'>>().toEqualTypeOf<'/'>()
  expectTypeOf<ShortenPath<'/:owner/*path'>>().toEqualTypeOf<'/:owner'>()
  expectTypeOf<ShortenPath<'/users/:id/posts'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'http\\://x.com/:id'>>().toEqualTypeOf<'http\\://x.com'>()
  expectTypeOf<ShortenPath<'/users{/:id}'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'/a{/:x{/:y}}'>>().toEqualTypeOf<'/a{/:x}'>()
  expectTypeOf<ShortenPath<'/a{/:x/{:y}}'>>().toEqualTypeOf<'/a{/:x}'>()
  expectTypeOf<ShortenPath<'/a{/:x}/:"b/:c"'>>().toEqualTypeOf<'/a{/:x}'>()
  expectTypeOf<ShortenPath<'/a/:id/x\\:y'>>().toEqualTypeOf<'/a'>()
  expectTypeOf<ShortenPath<'/projects/:project/issues/:id.json'>>().toEqualTypeOf<'/projects/:project/issues.json'>()
  expectTypeOf<ShortenPath<'/users/:"a b".json'>>().toEqualTypeOf<'/users.json'>()
  expectTypeOf<ShortenPath<'/a\\:b/:id.xml'>>().toEqualTypeOf<'/a\\:b.xml'>()
  expectTypeOf<ShortenPath<'/:id.json'>>().toEqualTypeOf<'/'>()
  expectTypeOf<ShortenPath<'/users//:id.json'>>().toEqualTypeOf<'/users/'>()
  expectTypeOf<ShortenPath<'/users/:id.tar.gz'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'/users/:id.json/all'>>().toEqualTypeOf<'/users'>()
  expectTypeOf<ShortenPath<'/flights/x-:to.json'>>().toEqualTypeOf<'/flights/x-'>()
  expectTypeOf<ShortenPath<':id'>>().toEqualTypeOf<''>()
  expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>()
})
