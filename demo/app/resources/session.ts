import { type Controller, Entity, LogoutManager } from 'restitch'
import { ApiEndpoint, keepToken } from './api.ts'
import { Person } from './people.ts'

export class Session extends Entity {
  id = ''
  kind: 'cookie' | 'token' = 'cookie'
  person = Person.fromJS()
  static override key = 'Session'
  static override schema = { person: Person }
}

/** Who is signed in. The server answers `null` where nobody is, which is no record: so it has a name, `session`. */
export const getSession = new ApiEndpoint({
  path: '/session',
  schema: { session: Session },
  process: (session: Session | null) => ({ session }),
  dataExpiryLength: Infinity,
})

export const signIn = new ApiEndpoint({
  path: '/session',
  method: 'POST',
  body: {} as { email: string; password: string; kind: Session['kind'] },
  schema: Session,
  // The token stays out of the store.
  process({ accessToken, ...session }: { accessToken?: string }) {
    keepToken(accessToken)
    return session
  },
  // The answer is also that of `getSession`: the app goes in without asking.
  update: (session) => ({ [getSession.key()]: () => ({ session }) }),
})

export const signOut = new ApiEndpoint({ path: '/session', method: 'DELETE' })

/** People one can sign in as; the one thing that can be seen before. */
export const getWelcome = new ApiEndpoint({
  path: '/welcome',
  process: ({ people }: { people: Pick<Person, 'id' | 'name' | 'email' | 'avatar'>[] }) => people,
})

/** Leaves nothing of the user. That nobody is signed in is known then, and leads to the sign-in without a request. */
export async function endSession(controller: Pick<Controller, 'resetEntireStore' | 'setResponse'>): Promise<void> {
  keepToken(undefined)
  // Both before anybody renders: a reader that finds nothing would fetch.
  await Promise.all([controller.resetEntireStore(), controller.setResponse(getSession, { session: undefined })])
}

/** A refusal (401) ends the session. */
export const logoutManager = new LogoutManager({ handleLogout: endSession })
