import { expect, test } from 'vitest'
import { declaredKind, kindByName, shareKinds } from './argumentKinds.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'

class Card extends Entity {
  id = ''
  limit = 0
  static override key = 'Card'
}
class Post extends Entity {
  id = ''
  static override key = 'Post'
}

test.each([
  ['order', 'sort order orderby order_by ordering sortby sort_by sortorder'],
  ['part', 'page per_page perpage page_size pagesize limit offset skip cursor'],
  ['shape', 'fields select include expand embed populate'],
])('COL-42 names of the kind %s: %s', (kind, names) => {
  for (const name of names.split(' ')) {
    const shown = [name, name.toUpperCase(), `_${name}`, `$${name}`].map((one) => kindByName(one))
    expect(shown).toEqual([kind, kind, kind, kind])
    const others = [`${name}x`, `x${name}`, `__${name}`, `-${name}`, `${name}_`].map((one) => kindByName(one))
    expect(others.every((one) => one === undefined)).toBe(true)
  }
})

test.each(['q', 'search', 'filter', 'status', 'meta', 'context', 'constructor', ''])('COL-41 %o is unknown', (name) => {
  expect(kindByName(name)).toBeUndefined()
})

test('COL-42 a name that is a field of the items is a filter all the same', () => {
  class Nested extends Entity {
    id = ''
    static override key = 'Nested'
    static override schema = { include: Post }
  }
  const kind = (schema: any, name: string): unknown => new Collection([schema]).argumentKind(name)
  expect([kind(Card, 'limit'), kind(Card, 'offset'), kind(Post, 'limit')]).toEqual([undefined, 'part', 'part'])
  expect(kind(Nested, 'include')).toBeUndefined()
  expect(kind(new Union({ card: Card, post: Post }, 'type' as never), 'limit')).toBeUndefined()
})

test('COL-48 argumentKinds overrides every name', () => {
  const list = new Collection([Card], {
    argumentKinds: { limit: 'part', sort: 'filter', context: 'shape', q: 'search', by: 'order' },
  })
  expect(['limit', 'sort', 'context', 'q', 'by', 'page', 'toString'].map((name) => list.argumentKind(name))).toEqual([
    'part',
    'filter',
    'shape',
    'search',
    'order',
    'part',
    undefined,
  ])
})

test('COL-48 nonFilterArgumentKeys replaces the names, and not what argumentKinds says', () => {
  const list = new Collection([Post], { nonFilterArgumentKeys: ['view', 'by'], argumentKinds: { by: 'order' } })
  expect(['view', 'sort', 'by'].map((name) => list.argumentKind(name))).toEqual(['shape', undefined, 'order'])
  class Own extends Collection<(typeof Post)[]> {
    override nonFilterArgumentKeys(name: string): boolean {
      return name === 'sort'
    }
  }
  expect(['view', 'sort', 'page'].map((name) => new Own([Post]).argumentKind(name))).toEqual([
    undefined,
    'shape',
    undefined,
  ])
})

test('COL-48 an endpoint says it for its Collections, which may know better', () => {
  const one = new Collection([Post])
  const other = new Collection([Post], { name: 'other', argumentKinds: { q: 'shape' } })
  const kinds = { argumentKinds: { q: 'search', view: 'shape' } as const }
  shareKinds({ ...kinds, schema: { data: new Query(one, (items) => items), total: 0 } })
  shareKinds(kinds, other)
  shareKinds({ schema: one })
  shareKinds(undefined)
  expect([one, other].map((list) => [list.argumentKind('q'), list.argumentKind('view')])).toEqual([
    ['search', 'shape'],
    ['shape', 'shape'],
  ])
  // A page of a list stands on it.
  expect(declaredKind((Object.create(one) as typeof one).options, 'q')).toBe('search')
})
