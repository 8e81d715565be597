import { Entity } from '../kinds/Entity.ts'

/**
 * A record whose primary key is its `id`, as GraphQL servers have it.
 *
 * @example
 * class User extends GQLEntity {
 *   name = ''
 *   static override key = 'User'
 * }
 * @see docs/api/GQLEndpoint.md#gqlentity
 */
export abstract class GQLEntity extends Entity {
  id = ''
}
