import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDescription } from '../src/index.ts'
import { changesOf, declarationsOf, placesOf } from './stability.ts'

test.each([
  '@readme/oas-examples/3.0/yaml/petstore.yaml',
  '@readme/oas-examples/3.1/yaml/train-travel.yaml',
  '@directus/specs/dist/openapi.json',
  '@figma/rest-api-spec/openapi/openapi.yaml',
])('a new operation of %s changes its own lines alone', async (file) => {
  const source = fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url))
  const description = await readDescription(source, { lenient: true })
  const full = declarationsOf(description)
  const places = placesOf(description)
  // A few dozen of each are enough, and quick.
  const every = Math.ceil(places.length / 25)
  const changes = places
    .filter((_, index) => index % every === 0)
    .map((place) => ({ place, changed: changesOf(description, place, full) }))
  expect(changes.filter(({ changed }) => changed !== undefined && changed.length > 0)).toEqual([])
  expect(changes.filter(({ changed }) => changed !== undefined).length / changes.length).toBeGreaterThan(0.7)
})
