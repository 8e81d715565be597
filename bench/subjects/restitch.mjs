// Our own store as an app has it: default managers, GCPolicy, everything through the controller. Only requests are missing: responses
// to reads are stored as those of requests are, with `core.respond`; those to mutations with `controller.resolve`.
import {
  All,
  Collection,
  createStore,
  Entity,
  getDefaultManagers,
  groupBy,
  Query,
  query as live,
  RestEndpoint,
  sortBy,
  sum,
  take,
  where,
} from '../.cache/restitch.mjs'
import { PROCESS } from '../rows.mjs'

class User extends Entity {
  id = 0
  name = ''
  email = ''
  static key = 'User'
}

class Todo extends Entity {
  id = 0
  title = ''
  body = ''
  done = false
  priority = 0
  comments = 0
  createdAt = ''
  updatedAt = ''
  dueAt = ''
  tags = []
  author = User.fromJS()
  static key = 'Todo'
  static schema = { author: User }
}

const queries = Object.fromEntries(
  Object.entries(PROCESS).map(([kind, process]) => [kind, new Query(new All(Todo), process)]),
)
const byPriority = sortBy((todo) => todo.priority)
const lives = {
  filter: live(
    Todo,
    where((todo) => todo.priority % 3 === 0),
  ),
  sort: live(Todo, byPriority),
  top: live(Todo, byPriority, take(50)),
  groups: live(
    Todo,
    groupBy((todo) => todo.comments),
    { sum: sum((todo) => todo.priority) },
  ),
  some: live(
    Todo,
    where((todo, i) => todo.priority % 20 === i),
  ),
}
const nested = new RestEndpoint({ path: '/users/:user/todos/:id' })

function belongs(...args) {
  return (key) =>
    key.group === undefined || args.some((given) => given?.group !== undefined && `${given.group}` === key.group)
}

/** Reads the state at every action, without looking into it. */
class Watcher {
  middleware = (controller) => (next) => (action) => {
    this.state = controller.getState()
    return next(action)
  }
  cleanup() {}
}

/** Time that goes on by itself and can be put forward. Timers run when they are asked to. */
function createClock() {
  let offset = 0
  let timers = []
  return {
    now: () => Date.now() + offset,
    setTimeout: (run, delay) => timers.push({ run, delay }),
    clearTimeout: () => {},
    pass: (milliseconds) => (offset += milliseconds),
    /** Runs the next timer that is due within so many milliseconds; false when there is none. */
    run(most) {
      const at = timers.findIndex(({ delay }) => delay <= most)
      if (at < 0) return false
      const [{ run }] = timers.splice(at, 1)
      run()
      return true
    },
  }
}

const HOUR = 3_600_000

export function create({ custom, watched, collects, paged, lost }) {
  const list = new Collection([Todo], custom ? { createCollectionFilter: belongs } : {})
  const getList = new RestEndpoint({ path: '/todos', schema: list, ...(paged && { paginationField: 'page' }) })
  const getOne = new RestEndpoint({ path: '/todos/:id', schema: Todo })
  const post = new RestEndpoint({ path: '/todos', method: 'POST', schema: list.push })
  const moveTo = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', schema: list.move })
  let fetchedAt
  const patch = Object.assign(() => new Promise(() => {}), {
    ...{ key: ({ id }) => `PATCH /todos/${id}`, sideEffect: true, schema: Todo },
    getOptimisticResponse: (snapshot, { id }, body) => ((fetchedAt = snapshot.fetchedAt), { id, ...body }),
  })
  const add = Object.assign(() => new Promise(() => {}), {
    ...{ key: () => 'POST /todos', sideEffect: true, schema: list.push },
    getOptimisticResponse: (snapshot, { id, ...body }) => ((fetchedAt = snapshot.fetchedAt), body),
  })
  const failure = lost ? new TypeError('fetch failed') : Object.assign(new Error('refused'), { status: 422 })
  const clock = collects ? createClock() : undefined
  const managers = getDefaultManagers()
  const store = createStore({ clock, managers: watched ? [new Watcher(), ...managers] : managers })
  const { controller } = store
  const query = (group) => (group === undefined ? {} : { group })
  const { core } = controller
  const answer = (endpoint, args, response) => {
    const sent = ++core.store.reached
    const call = { endpoint, args, plain: args, key: endpoint.key(...args) }
    core.respond(call, response, false, { sent, fetchedAt: controller.clock.now() })
  }
  const write = (endpoint, args, response) =>
    controller.resolve(endpoint, { args, response, fetchedAt: controller.clock.now() })

  return {
    custom: true,
    paged: true,
    watched: true,
    stop: store.stop,
    list: (rows, group) => answer(getList, [query(group)], rows),
    read: (group) => store.view(getList, query(group)).read().data,
    one: (value) => answer(getOne, [{ id: value.id }], value),
    readOne: (id) => store.view(getOne, { id }).read().data,
    set: (fields) => controller.set(Todo, { id: fields.id }, fields),
    setUser: (fields) => controller.set(User, { id: fields.id }, fields),
    push: (value) => write(post, [value], value),
    move: (fields) => write(moveTo, [{ id: fields.id }, fields], fields),
    optimistic({ id, ...body }) {
      controller.fetch(patch, { id }, body).catch(() => {})
      const outcome = { args: [{ id }, body], response: failure, error: true, fetchedAt }
      return () => controller.resolve(patch, outcome)
    },
    create(value) {
      controller.fetch(add, value).catch(() => {})
      const outcome = { args: [value], response: value, fetchedAt }
      return () => controller.resolve(add, outcome)
    },
    live: (kind, ...args) => store.view(lives[kind], ...args).read().data,
    query: (kind) => store.view(queries[kind]).read().data,
    invalidateAll: (match) => controller.invalidateAll(match),
    expireAll: (match) => controller.expireAll(match),
    status(id) {
      const { data, expiryStatus, expiresAt } = store.view(getOne, { id }).read()
      return expiryStatus === 1 ? 'invalid' : data && expiresAt > Date.now() ? 'fresh' : 'stale'
    },
    ...(clock && {
      age: () => (clock.pass(HOUR), clock.run(HOUR)),
      /** Gives the time of the longest slice, in milliseconds: the clock counts others' work, CPU time other threads'. */
      collect() {
        let longest = 0
        for (let more = true; more;) {
          const cpu = process.cpuUsage()
          const start = performance.now()
          more = clock.run(0)
          const took = performance.now() - start
          const { user, system } = process.cpuUsage(cpu)
          longest = Math.max(longest, Math.min(took, (user + system) / 1000))
        }
        return longest
      },
      left: () => Object.keys(store.getState().entities),
    }),
    url: (params) => nested.url(params),
    key: (params) => nested.key(params),
  }
}
