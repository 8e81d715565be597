import type * as t from '@babel/types'
import type { Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import type { Value } from './values.ts'

/** Names the options that have no counterpart at the hook. An option that is off needs none. */
export function noteDropped(
  pass: Pass,
  place: { readonly file: SourceFile; readonly node: t.Node; readonly what: string },
  options: Value | undefined,
  dropped: RegExp,
  page: string,
): void {
  const entries = options?.kind === 'object' ? options.entries : []
  const names = entries
    .filter(({ value }) => !(value.kind === 'literal' && !value.value))
    .flatMap(({ name }) => (name !== undefined && dropped.test(name) ? [name] : []))
  if (names.length > 0) {
    pass.note('note', place.file, place.node, place.what, `left out ${names.join(', ')}: see ${page}`)
  }
}
