/** Inputs by target that `npm run fuzz` found, and some that are hard. They are checked at every `npm test`. */
export const CORPUS: Readonly<Record<string, readonly [input: unknown][]>> = {
  'response bodies': [
    [[[1, [{ id: '__proto__', author: '__proto__', comments: null }]]]],
    [[[4, { data: [], me: null }]]],
    [[[5, JSON.parse('{"__proto__":{"id":"1"},"constructor":{"id":"2"}}')]]],
    [[[6, [{ id: '1', type: 'other' }]]]],
  ],
  'templates and parameters': [
    [['/:a-:b', { a: '-', b: '-' }]],
    [['/:a{/:b}', { a: 'x/y', b: '' }]],
    [['/*rest', { rest: ['..', 'a/b'] }]],
    [['/x?{q=:q}', { q: '%', __proto__: 1 }]],
  ],
  'saved states': [[[[0, '[', 0]]], [[[40, undefined, { __proto__: null }]]]],
}
