// What a user writes, against the built declarations: see tests/types-5.4/tsconfig.consumer.json.
import { Endpoint, isRestitchError, NetworkError, RestEndpoint, START } from 'restitch'

interface User {
  id: number
  name: string
}

const getUser = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/users/:id{/:tab}',
  process: (value: User) => value,
})
const addUser = getUser.extend({ path: '/users', method: 'POST', body: {} as Omit<User, 'id'> })
const getTime = new Endpoint(async (zone: string) => zone.length, { name: 'getTime' })

export async function useEndpoints(signal: AbortSignal): Promise<string> {
  const user: User = await getUser({ id: 5, tab: 'posts' })
  const added: User = await addUser({ name: user.name })
  const length: number = await getTime('UTC')
  await getUser[START]([{ id: 5 }], { signal })
  // @ts-expect-error the path asks for an id
  await getUser({})
  // @ts-expect-error the body has no such member
  await addUser({ nmae: 'Ann' })
  return getUser.key({ id: added.id + length })
}

export function describe(error: unknown): string | undefined {
  if (error instanceof NetworkError) return `${error.status} ${error.url}`
  return isRestitchError(error) ? error.code : undefined
}
