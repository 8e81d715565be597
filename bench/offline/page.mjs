// The parts that the pages of all libraries have in common. `tests/outbox/kills/app.ts` says what their members are for.

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

// A user is signed in when the browser starts.
if (!localStorage.getItem('user')) {
  localStorage.setItem('user', 'ann')
}

/** The user who is signed in. */
export function userNow() {
  return localStorage.getItem('user') ?? undefined
}

/** A request to the server, with the key of a change. It throws where the server does not do it. */
export async function request(method, path, body, key) {
  const headers = {
    'content-type': 'application/json',
    'x-user': userNow() ?? '',
    ...(key && { 'idempotency-key': key }),
  }
  const response = await fetch(`/api/tasks${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) {
    throw Object.assign(new Error(`Status ${response.status}`), { status: response.status })
  }
  return response.json()
}

/**
 * Makes a page of what differs between libraries.
 *
 * @param app `load`: reads the tasks, `tasks`: those on the screen, `create` and `edit`: make a change, `entries`: the marks of changes that wait, `hurry`: sends them,
 * `forget`: signs out
 */
export function makePage({ load, tasks, create, edit, entries, hurry, forget }) {
  const find = (name) => tasks().find((task) => task.name === name)
  const page = {
    user: userNow,
    async signIn(user) {
      localStorage.setItem('user', user)
      await page.ready()
    },
    async signOut() {
      localStorage.removeItem('user')
      await forget()
    },
    async ready() {
      while (
        !(await load().then(
          () => true,
          () => false,
        ))
      ) {
        await pause(20)
      }
    },
    screen: () => tasks().map(({ name, log }) => ({ name, log })),
    async create(mark) {
      create({ id: crypto.randomUUID(), name: mark, log: `${mark} ` }, mark, crypto.randomUUID())
      await pause(0)
      return find(mark)?.id
    },
    async edit(name, mark) {
      const task = find(name)
      if (!task) {
        return undefined
      }
      edit(task, `${task.log}${mark} `, mark, crypto.randomUUID())
      await pause(0)
      return find(name)?.log.includes(`${mark} `) ? task.id : undefined
    },
    entries: () => entries().map((mark) => ({ id: mark, state: 'pending', mark })),
    unsaved: () => [],
    hurry,
  }
  Object.assign(globalThis, { page })
}
