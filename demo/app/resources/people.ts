import { resource } from 'restitch'
import { ApiEndpoint, Versioned } from './api.ts'

export class Person extends Versioned {
  name = ''
  email = ''
  role = ''
  avatar = ''
  color = 'gray'
  static override key = 'Person'
}

export const PersonResource = resource({
  path: '/people/:id',
  schema: Person,
  body: {} as Partial<Pick<Person, 'name' | 'role'>>,
  Endpoint: ApiEndpoint,
  optimistic: true,
}).extend({
  // For `useLive`; other readers get changes from the event stream.
  getList: { pollFrequency: 2_000 },
})
