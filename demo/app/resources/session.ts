import { type Controller, Entity, LogoutManager } from 'restitch'
import { ApiEndpoint, keepToken, keepUser, knownUser } from './api.ts'
import { Person } from './people.ts'

const LEFT = 'left'

export class Session extends Entity {
  id = ''
  kind: 'cookie' | 'token' = 'cookie'
  person = Person.fromJS()
  static override key = 'Session'
  static override schema = { person: Person }
}

/** The signed-in user. The server returns `null` without one, which is not a record: so the response is wrapped in `session`. */
export const getSession = new ApiEndpoint({
  path: '/session',
  schema: { session: Session, hasExpired: false as boolean, isLost: false as boolean },
  process(session: Session | null) {
    if (session) {
      keepUser(session.person.id)
    }
    // The store may still have the data of the user before: see `forgetUser`.
    return { session, hasExpired: false, isLost: !session && knownUser() !== undefined }
  },
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
    keepUser((session as Session).person.id)
    sessionStorage.removeItem(LEFT)
    return session
  },
  // The response is also that of `getSession`, which needs no request of its own.
  update: (session) => ({ [getSession.key()]: () => ({ session, hasExpired: false, isLost: false }) }),
})

export const signOut = new ApiEndpoint({ path: '/session', method: 'DELETE' })

/** The people you can sign in as; available without a session. */
export const getWelcome = new ApiEndpoint({
  path: '/welcome',
  process: ({ people }: { people: Pick<Person, 'id' | 'name' | 'email' | 'avatar'>[] }) => people,
})

/** True if the last session of this tab has ended: then nobody is signed in as a guest. */
export function hasLeft(): boolean {
  return sessionStorage.getItem(LEFT) !== null
}

/** The user leaves: no guest is signed in afterwards. */
export async function endSession(controller: Writer, hasExpired = false): Promise<void> {
  sessionStorage.setItem(LEFT, 'true')
  await forgetUser(controller, hasExpired)
}

/** Empties the store. The session is then known to be empty, so the sign-in appears without a request. */
export async function forgetUser(controller: Writer, hasExpired: boolean): Promise<void> {
  keepUser(undefined)
  keepToken(undefined)
  // Both before the next render: a reader that finds nothing would fetch.
  const empty = { session: undefined, hasExpired, isLost: false }
  await Promise.all([controller.resetEntireStore(), controller.setResponse(getSession, empty)])
}

type Writer = Pick<Controller, 'resetEntireStore' | 'setResponse'>

/** A response with 401 ends the session, and the sign-in says so. */
export const logoutManager = new LogoutManager({ handleLogout: (controller) => void endSession(controller, true) })
