import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isFull } from '../../tests/effort.ts'
import { readDescription } from '../src/index.ts'
import { codeOf, effectOf, placesOf } from './stability.ts'

test.each([
  '@readme/oas-examples/3.0/yaml/petstore.yaml',
  '@readme/oas-examples/3.1/yaml/train-travel.yaml',
  // These take a quarter of a minute each.
  ...(isFull ? ['@directus/specs/dist/openapi.json', '@figma/rest-api-spec/openapi/openapi.yaml'] : []),
])('a new operation of %s renames nothing, and changes its own lines alone', async (file) => {
  const source = fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url))
  const description = await readDescription(source, { lenient: true })
  const full = codeOf(description)
  const places = placesOf(description)
  // A few dozen of each are enough, and quick.
  const every = Math.ceil(places.length / 25)
  const effects = places.filter((_, index) => index % every === 0).map((place) => effectOf(description, place, full))
  expect(effects.filter(({ renamed, isFirst }) => renamed.length > 0 && !isFirst)).toEqual([])
  expect(effects.filter(({ changed, isFirst, decides }) => changed.length > 0 && !isFirst && !decides)).toEqual([])
  // Such operations are rare.
  expect(effects.filter(({ renamed }) => renamed.length > 0).length / effects.length).toBeLessThan(0.15)
  expect(effects.filter(({ changed }) => changed.length > 0).length / effects.length).toBeLessThan(0.2)
})
