// D1, D2: at rest every mounted reader shows what the server has.
import type { Group, Todo } from './api.ts'
import { fault } from './check.ts'
import { itemsIn, type ListReader, type MountedReader } from './screen.ts'
import { show, Violation, type World } from './world.ts'

export function checkRest(world: World): void {
  for (const reader of world.mounted) {
    try {
      checkReader(world, reader)
    } catch (thrown) {
      const isStale = thrown instanceof Violation && reader.read().expiresAt <= 1
      throw isStale
        ? new Violation('D1', `${thrown.message.slice('D2: '.length)}; it is stale, but no request is sent`)
        : thrown
    }
  }
}

function checkReader(world: World, { what, read }: MountedReader): void {
  const { api, server, screen } = world
  const lists = [...screen.lists, ...screen.searches]
  const { data, error } = read()
  const list = lists.find(({ key }) => key === what)
  if (list) {
    // Of two paths with equal arguments only one can have the list; the other is refused. /archive filters by a field that no argument names.
    const isShared = list.path !== 'hot' && 'archive' in world.profile.actions
    if (list.path !== 'archive' && (data !== undefined || !isShared)) {
      checkList(world, list, data)
    }
    return
  }
  for (const id of server.known) {
    if (what === api.get.key({ id })) {
      checkTodo(world, id, data, error)
    }
  }
  for (const [id, { name }] of server.people) {
    if (what === api.person.key({ id })) {
      compare(`Person ${id}`, data?.name, name)
    }
  }
  for (const id of server.groups.keys()) {
    const isOne = what === api.group.key({ id })
    if (isOne || what === api.groups.key({})) {
      checkGroup(world, id, isOne ? data : data?.find((one: Group) => one.id === id))
    }
  }
}

function compare(what: string, shown: unknown, expected: unknown): void {
  if (show(shown) !== show(expected)) {
    fault('D2', `at rest ${what} is ${show(shown)}, on the server ${show(expected)}`)
  }
}

function checkTodo({ server, subject }: World, id: string, data: Todo | undefined, error: unknown): void {
  const row = server.rows.get(id)
  if (error && row) {
    fault('D2', `at rest Todo ${id} has the error ${String(error)}, on the server it is there`)
  }
  // The server does not have it: then a reader shows an error, whatever data stays beside it.
  const shown = error ? undefined : data
  const { title, body, group } = shown ?? {}
  compare(`Todo ${id}`, shown && { title, body, group }, row && { title: row.title, body: row.body, group: row.group })
  // An event may name a person that no response has contained.
  if (row && subject.stored('Person', row.author) !== undefined) {
    compare(`the author of Todo ${id}`, shown?.author?.name, server.people.get(row.author)!.name)
  }
}

function checkGroup(world: World, id: string, shown: Group | undefined): void {
  const { screen, server } = world
  compare(`Group ${id}`, shown?.name, server.groups.get(id)!.name)
  checkList(
    world,
    screen.lists.find(({ path, group }) => path === 'todos' && group === id)!,
    shown?.todos,
  )
}

function checkList(world: World, list: ListReader, data: any): void {
  const { server } = world
  const { key, path, group, search = {} } = list
  const items = itemsIn(data) as readonly Todo[] | undefined
  const shown = items?.map(({ id }) => id) ?? []
  const listed = server.listIds(path, group, search)
  if (items === undefined) {
    fault('D2', `at rest ${key} shows nothing`)
  }
  if (world.isPaged) {
    checkPages(world, list, shown, listed)
  } else {
    const [one, other] = search.sort ? [shown, listed] : [shown.toSorted(), listed.toSorted()]
    compare(key, one, other)
  }
  if (server.isCounted && path === 'todos') {
    compare(`the total of ${key}`, data.total, listed.length)
  }
  for (const { id, title, body, group: its, author } of items) {
    const row = server.rows.get(id)!
    // An event may name a person that no response has contained.
    const isKnown = world.subject.stored('Person', row.author) !== undefined
    const told = server.isPartial ? {} : { body, author: author?.name }
    const expected = server.isPartial
      ? {}
      : { body: row.body, author: isKnown ? server.people.get(row.author)!.name : undefined }
    compare(`${id} in ${key}`, { title, group: its, ...told }, { title: row.title, group: row.group, ...expected })
  }
}

/** The loaded pages are the beginning of the list, in its order. Records that were created or moved may come before its page is loaded, and stand at an end. */
function checkPages(
  world: World,
  { key, endpoint, args }: ListReader,
  shown: readonly string[],
  listed: readonly string[],
): void {
  const isOwn = (id: string): boolean => {
    const { writes, touched } = world.notesOn('Todo', id)
    return writes.length > 0 || touched > 0
  }
  const missing = listed.findIndex((id) => !shown.includes(id))
  const start = missing < 0 ? listed : listed.slice(0, missing)
  const early = shown.filter((id) => !start.includes(id))
  const isEnd = world.subject.nextPage(endpoint, args) === undefined
  if (early.some((id) => !listed.includes(id) || !isOwn(id)) || (isEnd && missing >= 0)) {
    fault(
      'D2',
      `at rest the pages of ${key} show ${String(shown)}${isEnd ? ' as all' : ''}, the server has ${String(listed)}`,
    )
  }
  const known = (ids: readonly string[]): string[] => ids.filter((id) => !isOwn(id) && shown.includes(id))
  compare(`the order of ${key}`, known(shown), known(listed))
}
