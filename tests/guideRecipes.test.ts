// @vitest-environment happy-dom
// Runs the recipes of docs/guide as they are printed, against a fake `fetch`.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createElement, Suspense } from 'react'
import { Collection, Entity, NetworkError, resource, RestEndpoint } from 'restitch'
import { DataProvider, ErrorBoundary, type Infinite, useController, useInfinite, useSuspense } from 'restitch/react'
import { renderDataHook } from 'restitch/test'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { countBlocks, loadBlock, openStore, type Sent, serve } from './guideBlocks.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const lines = (requests: readonly Sent[]): string[] => requests.map(({ method, url }) => `${method} ${url}`)

test('pages: a `next` URL in the body', async () => {
  const { getTasks } = await loadBlock('pages', 1)
  const requests = serve(({ url }) => [
    200,
    url.includes('cursor')
      ? { results: [{ id: '2' }], count: 2, next: null }
      : { results: [{ id: '1' }], count: 2, next: 'https://api.test/projects/7/tasks?cursor=b7&page_size=1' },
  ])
  const { result, waitFor } = renderDataHook(() => useInfinite(getTasks, { project: '7' }) as Infinite<any>)
  await waitFor(() => expect(result.current.hasNextPage).toBe(true))
  void result.current.fetchNextPage()
  await waitFor(() => expect(result.current.items.map(({ id }: any) => id)).toEqual(['1', '2']))
  expect(result.current.hasNextPage).toBe(false)
  expect(lines(requests)).toEqual(['GET /projects/7/tasks', 'GET /projects/7/tasks?cursor=b7&page_size=1'])
})

test('nested-lists: a preview does not replace the list', async () => {
  const { Posts, Post, Comment, getComments } = await loadBlock('nested-lists', 3, 'Post, Comment')
  const comments = ['1', '2', '3'].map((id) => ({ id, text: 'a', post: '1' }))
  const post = { id: '1', title: 'a' }
  serve(({ method, url }) =>
    method === 'POST'
      ? [201, { ...post, id: '2', comments: [] }]
      : [200, url === '/posts' ? [{ ...post, comments: comments.slice(2) }] : { ...post, comments }],
  )
  const { fetch, read, controller } = openStore()
  await fetch(Posts.get, { id: '1' })
  await fetch(Posts.getList)
  const [{ preview }] = read(Posts.getList)
  expect(preview).toEqual([(controller.get as any)(Comment, { id: '3' })])
  expect((controller.get as any)(Post, { id: '1' }).comments).toHaveLength(3)
  expect(read(getComments, { post: '1' })).toHaveLength(3)
  expect(await fetch(Posts.create, { title: 'a' })).toMatchObject({ id: '2', comments: [] })
})

describe('nested-lists: people who attend bookings', () => {
  const people = ['p1', 'p2', 'p3'].map((id) => ({ id, name: id }))
  const booking = (id: string, attendees = people.slice(0, 2)) => ({ id, room: 'A', attendees })
  const byPerson = { attendee: 'p1' }

  async function open(invited: unknown = people[2]) {
    const module = await loadBlock('nested-lists', 2, 'Booking')
    const { People, Bookings } = module
    const requests = serve(({ method, url, body }) => {
      if (method !== 'GET') {
        return method === 'DELETE' ? [204] : [200, method === 'POST' ? invited : { id: url.slice(-2), ...body }]
      }
      return [200, url === '/people' ? { data: people, total: 3 } : [booking('1'), booking('2')]]
    })
    const store = openStore()
    await store.fetch(People.getList)
    await store.fetch(Bookings.getList, byPerson)
    /** The attendees of both bookings, all people, and their number. */
    const see = () => {
      const { data, total } = store.read(People.getList)
      const lists = [...store.read(Bookings.getList, byPerson).map(({ attendees }: any) => attendees), data]
      return [...lists.map((list: { id: string }[]) => list.map(({ id }) => id).join(' ')), total]
    }
    /** The reads that are sent because their data is stale. */
    const refetch = async () => {
      const { length } = requests
      await store.controller.fetchIfStale(People.getList)
      await store.controller.fetchIfStale(Bookings.getList, byPerson)
      return lines(requests.slice(length))
    }
    return { ...module, ...store, requests, see, refetch }
  }

  test('invite and uninvite change the list of that booking alone', async () => {
    const { invite, uninvite, fetch, requests, see, refetch } = await open()
    await fetch(invite, { booking: '1' }, { person: 'p3' })
    expect(see()).toEqual(['p1 p2 p3', 'p1 p2', 'p1 p2 p3', 3])
    await fetch(uninvite, { booking: '1', id: 'p1' })
    expect(see()).toEqual(['p2 p3', 'p1 p2', 'p1 p2 p3', 3])
    expect(lines(requests).slice(-2)).toEqual(['POST /bookings/1/attendees', 'DELETE /bookings/1/attendees/p1'])
    expect(await refetch()).toEqual([])
  })

  test('a renamed person refetches nothing, and a deleted one leaves every list', async () => {
    const { People, fetch, see, refetch } = await open()
    await fetch(People.partialUpdate, { id: 'p1' }, { name: 'Ann' })
    expect(await refetch()).toEqual([])
    await fetch(People.delete, { id: 'p1' })
    expect(see()).toEqual(['p2', 'p2', 'p2 p3', 2])
  })

  test('lists of bookings by attendee are refetched after `leave`', async () => {
    const { leave, controller, refetch } = await open()
    await leave(controller, '1', 'p1')
    expect(await refetch()).toEqual(['GET /bookings?attendee=p1'])
  })

  test('a response with the booking has the same effect, and marks lists of bookings stale', async () => {
    const { Booking, fetch, see, refetch } = await open(booking('1', people))
    const invite = new RestEndpoint({ path: '/bookings/:booking/attendees', method: 'POST', schema: Booking })
    await fetch(invite, { booking: '1' }, { person: 'p3' })
    expect(see()).toEqual(['p1 p2 p3', 'p1 p2', 'p1 p2 p3', 3])
    expect(await refetch()).toEqual(['GET /bookings?attendee=p1'])
  })
})

test('uploads: a progress bar follows the bytes', async () => {
  const { UploadWithProgress } = await loadBlock('uploads', 1)
  let request!: FakeRequest
  class FakeRequest extends EventTarget {
    status = 201
    statusText = ''
    responseURL = 'http://localhost:3000/issues/5/files'
    response = '{"id":"1"}'
    readonly upload = new EventTarget()
    constructor() {
      super()
      request = this
    }
    open(): void {}
    send(): void {}
    abort(): void {}
    setRequestHeader(): void {}
    getAllResponseHeaders = (): string => 'content-type: application/json\r\n'
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  render(createElement(DataProvider, null, createElement(UploadWithProgress, { id: '5' })))
  fireEvent.click(screen.getByText('Upload'))
  await waitFor(() => expect(request).toBeDefined())
  act(() => {
    request.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 4, lengthComputable: true }))
  })
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('25')
  request.dispatchEvent(new Event('load'))
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('uploads: cancel', () => {
  /** A server that never responds. */
  const hang = (): Sent[] =>
    serve(
      ({ signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    )

  test('a button aborts the call of useMutation, and shows no error', async () => {
    const { CancellableUpload } = await loadBlock('uploads', 2)
    const requests = hang()
    render(createElement(DataProvider, null, createElement(CancellableUpload, { id: '5' })))
    fireEvent.click(screen.getByText('Upload'))
    fireEvent.click(await screen.findByText('Cancel'))
    await waitFor(() => expect(screen.queryByText('Cancel')).toBeNull())
    expect(lines(requests)).toEqual(['POST /issues/5/files'])
    expect(requests[0]!.signal!.aborted).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a signal aborts one call of several', async () => {
    const { startUpload } = await loadBlock('uploads', 3)
    const requests = hang()
    const [first, second] = [1, 2].map(() => startUpload('5', new FormData()))
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    first.cancel()
    await expect(first.done).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests.map(({ signal }) => signal!.aborted)).toEqual([true, false])
    second.cancel()
    await expect(second.done).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('mutations', () => {
  test('bulk changes with an empty response', async () => {
    const { Tickets } = await loadBlock('mutations', 0)
    const tickets = ['1', '2', '3'].map((id) => ({ id, title: 'a', status: 'open' }))
    const requests = serve(({ method, url }) =>
      method === 'POST' ? [204] : [200, url.endsWith('done') ? [{ id: '4', title: 'a', status: 'done' }] : tickets],
    )
    const { fetch, read } = openStore()
    const ids = (): string[] =>
      ['open', 'done'].map((status) =>
        read(Tickets.getList, { status })
          .map(({ id }: any) => id)
          .join(),
      )
    await fetch(Tickets.getList, { status: 'open' })
    await fetch(Tickets.getList, { status: 'done' })
    await fetch(Tickets.setStatus, { ids: ['1', '2'], status: 'done' })
    expect(ids()).toEqual(['3', '4,1,2'])
    await fetch(Tickets.deleteMany, { ids: ['1', '3'] })
    expect(ids()).toEqual(['', '4,2'])
    expect(requests).toHaveLength(4)
  })

  test('a double click creates one ticket', async () => {
    const { NewTicket } = await loadBlock('mutations', 1)
    const requests = serve(() => [201, { id: '1', title: '' }])
    const close = vi.fn()
    render(createElement(DataProvider, null, createElement(NewTicket, { close })))
    fireEvent.click(screen.getByText('Create'))
    fireEvent.click(screen.getByText('Create'))
    await waitFor(() => expect(close).toHaveBeenCalledOnce())
    expect(lines(requests)).toEqual(['POST /tickets'])
  })

  test('a conflict is shown, and the own version can be saved over the other', async () => {
    const { NoteForm } = await loadBlock('mutations', 3)
    const note = { id: '1', text: 'mine' }
    let etag = '"1"'
    const requests = serve(({ method, body, headers }) => {
      if (method === 'GET') {
        return [200, note, { etag }]
      }
      if (headers.get('If-Match') !== etag) {
        return [412]
      }
      etag = `"${Number(etag.slice(1, -1)) + 1}"`
      return [200, Object.assign(note, body), { etag }]
    })
    const form = createElement(NoteForm, { id: '1' })
    render(createElement(DataProvider, null, createElement(Suspense, { fallback: 'Loading' }, form)))
    const text = await screen.findByDisplayValue('mine')
    // Another user saves.
    Object.assign(note, { text: 'theirs' })
    etag = '"2"'
    fireEvent.change(text, { target: { value: 'mine 2' } })
    fireEvent.click(screen.getByText('Save'))
    await screen.findByText('theirs', { selector: 'q' })
    fireEvent.click(screen.getByText('Keep mine'))
    await screen.findByDisplayValue('mine 2')
    fireEvent.click(screen.getByText('Save'))
    await waitFor(() => expect(note.text).toBe('mine 2'))
    await waitFor(() => expect(screen.getByText<HTMLButtonElement>('Save').disabled).toBe(false))
    expect(screen.queryByRole('alert')).toBeNull()
    // Once more, from the version that was saved.
    fireEvent.change(screen.getByDisplayValue('mine 2'), { target: { value: 'mine 3' } })
    fireEvent.click(screen.getByText('Save'))
    await waitFor(() => expect(note.text).toBe('mine 3'))
    const matches = requests.map(({ method, headers }) => [method, headers.get('If-Match')])
    expect(matches).toEqual([
      ['GET', null],
      ['PATCH', '"1"'],
      ['GET', null],
      ['PATCH', '"2"'],
      ['PATCH', '"3"'],
    ])
  })
})

describe('adapt-your-api', () => {
  test('a path parameter with another name than the field is mapped by argsKey', async () => {
    const { getTasks, Task } = await loadBlock('adapt-your-api', 3, 'Task')
    const Tasks: any = resource({ path: '/tasks/:id', schema: Task as any })
    // The same list without the mapping.
    const getUnmapped = new RestEndpoint({
      path: '/projects/:projectId/all-tasks',
      schema: new Collection([Task as any], { name: 'unmapped' }),
    })
    serve(({ method, url }) => {
      const project = /projects\/(\d)/.exec(url)?.[1]
      return method === 'GET' ? [200, [{ id: `${project}0`, project }]] : [200, { id: '10', project: '2' }]
    })
    const { fetch, read } = openStore()
    for (const projectId of ['1', '2']) {
      await fetch(getTasks, { projectId })
      await fetch(getUnmapped, { projectId })
    }
    await fetch(Tasks.partialUpdate, { id: '10' }, { project: '2' })
    const ids = (list: unknown): string[] =>
      ['1', '2'].map((projectId) =>
        read(list, { projectId })
          .map(({ id }: any) => id)
          .join(),
      )
    expect(ids(getTasks)).toEqual(['', '20,10'])
    expect(ids(getUnmapped)).toEqual(['10', '20'])
  })

  test('a response that is not a record counts as empty', async () => {
    const { Tasks, Task } = await loadBlock('adapt-your-api', 4, 'Task')
    serve(({ method }) => (method === 'GET' ? [200, [{ id: '1', title: 'a' }]] : [200, { success: true }]))
    const { fetch, read, controller } = openStore()
    await fetch(Tasks.getList)
    expect(await fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })).toMatchObject({ id: '1', title: 'b' })
    expect(await fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })).toBeUndefined()
    expect(await fetch(Tasks.create, { title: 'c' })).toBeUndefined()
    expect(await fetch(Tasks.create, { id: '3', title: 'c' })).toMatchObject({ id: '3', title: 'c' })
    await fetch(Tasks.delete, { id: '1' })
    expect((controller.get as any)(Task, { id: '1' })).toBeUndefined()
    expect(read(Tasks.getList).map(({ id }: any) => id)).toEqual(['3'])
  })
})

// The table of docs/api/Collection.md.
test.each([
  [undefined, ['joins, refetch', 'joins, refetch', 'refetch']],
  [['view'], ['refetch', 'refetch', 'joins']],
  [
    ['view', 'sort'],
    ['joins', 'refetch', 'joins'],
  ],
])('Collection: a new record, and lists with nonFilterArgumentKeys %j', async (nonFilterArgumentKeys, expected) => {
  class Task extends Entity {
    id = ''
    title = ''
    static override key = 'Task'
  }
  const options = nonFilterArgumentKeys && { nonFilterArgumentKeys }
  const Tasks = resource({ path: '/tasks/:id', schema: Task, ...options })
  serve(({ method }) => (method === 'GET' ? [200, [{ id: '1' }]] : [201, { id: '2', title: 'new' }]))
  const { fetch, controller } = openStore()
  const lists = [{ sort: 'title' }, { page: 2 }, { view: 'board' }]
  for (const args of lists) {
    await fetch(Tasks.getList, args)
  }
  await fetch(Tasks.create, {})
  const outcome = lists.map((args) => {
    const { data, expiresAt } = controller.getResponse(Tasks.getList, args)
    return [data?.length === 2 && 'joins', expiresAt < Date.now() && 'refetch'].filter(Boolean).join(', ')
  })
  expect(outcome).toEqual(expected)
})

describe('undo', () => {
  test('of a change: the old value is sent once the first response is there', async () => {
    const { TicketActions, Ticket } = await loadBlock('undo', 0, 'Ticket')
    let release!: () => void
    const late = new Promise<void>((resolve) => (release = resolve))
    const requests = serve(async ({ body }) => {
      await late
      return [200, { id: '1', title: 'a', ...body }]
    })
    const ticket = Ticket.fromJS({ id: '1', title: 'a', status: 'waiting' })
    render(createElement(DataProvider, null, createElement(TicketActions, { ticket })))
    fireEvent.click(screen.getByText('Close'))
    expect((screen.getByText('Undo') as HTMLButtonElement).disabled).toBe(true)
    release()
    await waitFor(() => expect((screen.getByText('Undo') as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(screen.getByText('Undo'))
    await waitFor(() => expect(screen.getByText('Close')).toBeTruthy())
    expect(requests.map(({ body }) => body)).toEqual([{ status: 'closed' }, { status: 'waiting' }])
  })

  test('of a delete: the restored record joins its lists', async () => {
    const { Tickets } = await loadBlock('undo', 1)
    const ticket = { id: '1', title: 'a', status: 'open' }
    const requests = serve(({ method }) =>
      method === 'GET' ? [200, [ticket]] : method === 'POST' ? [200, ticket] : [204],
    )
    const { fetch, read } = openStore()
    const lists = [{}, { status: 'open' }, { status: 'done' }]
    for (const args of lists.slice(0, 2)) {
      await fetch(Tickets.getList, args)
    }
    await fetch(Tickets.delete, { id: '1' })
    expect(lists.map((args) => read(Tickets.getList, args)?.length)).toEqual([0, 0, undefined])
    await fetch(Tickets.restore, { id: '1' })
    expect(lists.map((args) => read(Tickets.getList, args)?.length)).toEqual([1, 1, undefined])
    expect(lines(requests).at(-1)).toBe('POST /tickets/1/restore')
  })

  test('of a delete that is not sent yet', async () => {
    const { TicketList } = await loadBlock('undo', 2)
    const tickets = ['1', '2'].map((id) => ({ id, title: `ticket ${id}` }))
    const requests = serve(({ method }) => (method === 'GET' ? [200, tickets] : [204]))
    render(createElement(DataProvider, null, createElement(Suspense, null, createElement(TicketList))))
    await waitFor(() => expect(screen.getAllByText('Delete')).toHaveLength(2))
    vi.useFakeTimers()
    try {
      fireEvent.click(screen.getAllByText('Delete')[0]!)
      fireEvent.click(screen.getAllByText('Delete')[0]!)
      expect(screen.queryAllByText('Delete')).toHaveLength(0)
      fireEvent.click(screen.getByText('Undo'))
      expect(screen.getAllByText('Delete')).toHaveLength(1)
      await act(() => vi.advanceTimersByTimeAsync(5_000))
    } finally {
      vi.useRealTimers()
    }
    expect(lines(requests)).toEqual(['GET /tickets', 'DELETE /tickets/1'])
    expect(screen.queryByText('Undo')).toBeNull()
  })
})

describe('sorted-live-lists', () => {
  test('the app sorts: an event moves the row, and nothing is requested', async () => {
    const { getTickets, Ticket } = await loadBlock('sorted-live-lists', 0)
    const requests = serve(() => [
      200,
      ['1', '2', '3'].map((id) => ({ id, title: id, status: 'open', priority: Number(id) })),
    ])
    const byPriority = { status: 'open', sort: 'priority' }
    const { result, waitFor, controller } = renderDataHook(() => useSuspense(getTickets as any, byPriority) as any[])
    const ids = (): string[] => result.current.map(({ id }) => id)
    await waitFor(() => expect(ids()).toEqual(['3', '2', '1']))
    const set: any = controller.set
    await act(async () => {
      await set(Ticket, { id: '1' }, { id: '1', priority: 9 })
      await set(Ticket, { id: '2' }, { id: '2', status: 'closed' })
      await set(getTickets.schema.schema.push, byPriority, { id: '4', title: 'new', status: 'open', priority: 5 })
    })
    expect(ids()).toEqual(['1', '4', '3'])
    expect(lines(requests)).toEqual(['GET /tickets?status=open'])
  })

  test('the server sorts: with autoUpdate: false the order waits for expireAll', async () => {
    const { Tickets, Ticket } = await loadBlock('sorted-live-lists', 1, 'Ticket')
    const requests = serve(() => [200, ['1', '2'].map((id) => ({ id, title: id, priority: 0 }))])
    const { fetch, read, controller } = openStore()
    const args = { sort: '-priority' }
    await fetch(Tickets.getList, args)
    await (controller.set as any)(Ticket, { id: '2' }, { id: '2', priority: 5 })
    expect(read(Tickets.getList, args).map(({ id, priority }: any) => [id, priority])).toEqual([
      ['1', 0],
      ['2', 5],
    ])
    expect(controller.getResponse(Tickets.getList, args).expiresAt).toBeGreaterThan(Date.now())
    expect(lines(requests)).toHaveLength(1)
  })
})

test('mixed-ids: a number and a text are one record, shown as text', async () => {
  const { Tickets, Ticket } = await loadBlock('mixed-ids', 0, 'Ticket')
  const requests = serve(({ method, url }) =>
    method === 'PATCH'
      ? [200, { id: 5, title: 'b', ownerId: 8 }]
      : [200, url.endsWith('/5') ? { id: '5', title: 'a', ownerId: '7' } : [{ id: 5, title: 'a', ownerId: 7 }]],
  )
  const { fetch, read, controller } = openStore()
  const get: any = controller.get
  await fetch(Tickets.getList, { ownerId: 7 })
  expect(get(Ticket, { id: '5' })).toMatchObject({ id: '5', ownerId: '7' })
  await fetch(Tickets.get, { id: 5 })
  expect(get(Ticket, { id: 5 })).toBe(get(Ticket, { id: '5' }))
  expect(read(Tickets.get, { id: '5' })).toBe(read(Tickets.getList, { ownerId: '7' })[0])
  await fetch(Tickets.partialUpdate, { id: '5' }, { ownerId: 8 })
  expect(read(Tickets.getList, { ownerId: 7 })).toEqual([])
  expect(lines(requests)).toEqual(['GET /tickets?ownerId=7', 'GET /tickets/5', 'PATCH /tickets/5'])
})

describe('mock-errors', () => {
  test('a 422 of an interceptor is a NetworkError with its body', async () => {
    const { useCreate, refuses } = await loadBlock('mock-errors', 0)
    const { result, waitFor } = renderDataHook<any>(useCreate, { resolverFixtures: [refuses] })
    await act(async () => result.current.mutate({ title: '' }))
    await waitFor(() => expect(result.current.errors).toEqual({ title: ['is too short'] }))
  })

  test('by the request', async () => {
    const { validates } = await loadBlock('mock-errors', 2)
    const { controller } = renderDataHook(() => 0, { resolverFixtures: [validates] })
    const create: any = (body: object) => controller.fetch(validates.endpoint, body)
    await expect(create({ title: '' })).rejects.toMatchObject({
      status: 422,
      body: { errors: { title: ['is required'] } },
    })
    expect(await create({ title: 'a' })).toMatchObject({ id: '1', title: 'a' })
  })

  test('for certain arguments', async () => {
    const { missing } = await loadBlock('mock-errors', 3)
    const { controller } = renderDataHook(() => 0, { resolverFixtures: [missing] })
    const error = await controller.fetch(missing.endpoint, { id: '5' }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ status: 404, message: 'Not found' })
  })
})

describe('forms', () => {
  test('the messages of the server stand beside their fields', async () => {
    const { NewUser } = await loadBlock('forms', 1)
    serve(() => [422, { errors: { email: ['is taken', 'is too short'], base: ['No more users'] } }])
    render(createElement(DataProvider, null, createElement(NewUser)))
    fireEvent.click(screen.getByText('Create'))
    expect((await screen.findByRole('alert')).textContent).toBe('No more users')
    expect(screen.getByLabelText(/email/).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText(/name/).getAttribute('aria-invalid')).toBe('false')
    expect(screen.getByText('is taken, is too short').id).toBe('email-error')
  })

  test('a shape of your own', async () => {
    const { errorsOf } = await loadBlock('forms', 2)
    const { fetch } = openStore()
    serve(() => [400, { faults: [{ on: 'name', text: 'is taken' }] }])
    const save = new RestEndpoint({ path: '/users', method: 'POST' })
    expect(errorsOf(await fetch(save, {}).catch((error: unknown) => error))).toEqual({ name: ['is taken'] })
  })
})

test('pages: the end of the list loads pages until it is out of view', async () => {
  const { Feed } = await loadBlock('pages', countBlocks('pages', '## Load while scrolling'))
  // The screen has room for two pages.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      isConnected = true
      readonly callback: (entries: object[]) => void
      constructor(callback: (entries: object[]) => void) {
        this.callback = callback
      }
      observe(): void {
        queueMicrotask(() => {
          if (this.isConnected) {
            this.callback([{ isIntersecting: document.querySelectorAll('article').length < 4 }])
          }
        })
      }
      disconnect(): void {
        this.isConnected = false
      }
    },
  )
  const requests = serve(({ url }) => {
    const page = Number(url.split('page=')[1] ?? 1)
    return [200, [1, 2].map((i) => ({ id: `${page}-${i}`, title: 'a' }))]
  })
  render(createElement(DataProvider, null, createElement(Suspense, null, createElement(Feed))))
  await waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(4))
  expect(lines(requests)).toEqual(['GET /posts', 'GET /posts?page=2'])
})

test('mutations: a deleted mail can be taken back, and nothing was sent', async () => {
  const { Inbox } = await loadBlock('mutations', countBlocks('mutations', '## Undo'))
  const requests = serve(() => [200, ['1', '2'].map((id) => ({ id, subject: `mail ${id}` }))])
  render(createElement(DataProvider, null, createElement(Suspense, null, createElement(Inbox))))
  fireEvent.click((await screen.findAllByText('Delete'))[0]!)
  expect(screen.queryByText(/mail 1/)).toBeNull()
  fireEvent.click(screen.getByText('Undo'))
  await screen.findByText(/mail 1/)
  expect(screen.queryByRole('status')).toBeNull()
  expect(lines(requests)).toEqual(['GET /mails'])
})

test('mutations: what the server computes is refetched after the response', async () => {
  const heading = '## Data that the server computes'
  const { Summary, CloseButton, Badges } = await loadBlock('mutations', countBlocks('mutations', heading))
  let open = 2
  const requests = serve(({ method, url }) => {
    if (method === 'POST') {
      open--
      return [200, { id: '1', title: 'a', status: 'closed' }]
    }
    return [200, url === '/stats' ? { open } : [{ id: 'b', count: open }]]
  })
  const Badge = (): any => useSuspense(Badges.getList as any).map(({ count }: any) => `badge ${count}`)
  const parts = [Summary, Badge, CloseButton].map((part, key) => createElement(part as any, { key, id: '1' }))
  render(createElement(DataProvider, null, createElement(Suspense, { fallback: 'Loading' }, parts)))
  await screen.findByText('2 open')
  fireEvent.click(screen.getByText('Close'))
  await screen.findByText('1 open')
  await screen.findByText(/badge 1/)
  expect(lines(requests).toSorted()).toEqual([
    'GET /badges',
    'GET /badges',
    'GET /stats',
    'GET /stats',
    'POST /tasks/1/close',
  ])
})

test('fewer-requests: the authors of all comments come with one request', async () => {
  const { CommentList } = await loadBlock('fewer-requests', 0)
  const requests = serve(({ url }) => [
    200,
    url === '/comments'
      ? ['1', '2', '3'].map((id) => ({ id, text: `text ${id}`, authorId: `a${id}` }))
      : ['a1', 'a3'].map((id) => ({ id, name: `name ${id}` })),
  ])
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const list = createElement(Suspense, null, createElement(CommentList))
  const page = createElement(ErrorBoundary, { fallbackComponent: ({ error }) => String(error) }, list)
  render(createElement(DataProvider, null, page))
  await screen.findByText(/has no record with "id": "a2"/)
  expect(lines(requests)).toEqual(['GET /comments', 'GET /users?ids=a1%2Ca2%2Ca3'])
})

test('fewer-requests: a 304 renders nothing', async () => {
  const { PriceList, Prices } = await loadBlock('fewer-requests', 1, 'Prices')
  let renders = 0
  const requests = serve(({ headers }) =>
    headers.get('If-None-Match') ? [304, undefined, { etag: '"a"' }] : [200, [{ id: '1', amount: 5 }], { etag: '"a"' }],
  )
  let refetch!: () => Promise<unknown>
  const Counted = (): any => {
    const controller = useController()
    refetch = () => (controller.fetch as any)(Prices.getList)
    renders++
    return PriceList()
  }
  render(createElement(DataProvider, null, createElement(Suspense, null, createElement(Counted))))
  await screen.findByText('5')
  const before = renders
  await act(refetch)
  expect(requests.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, '"a"'])
  expect(renders).toBe(before)
})

describe('storybook: each story has a store of its own', () => {
  /** The stories of the page as a docs page of Storybook shows them: each in a root of its own. */
  async function openStories() {
    const { withData } = await loadBlock('storybook', 0)
    const { meta, ...stories } = await loadBlock('storybook', 1)
    const requests = serve(() => [500, {}])
    const show = (name: string, id = name) =>
      withData(() => createElement(meta.component), { id, parameters: stories[name].parameters })
    const open = (name: string) => {
      const { container, rerender } = render(show(name))
      const text = () => container.textContent
      return { text, container, become: (other: string) => rerender(show(other)) }
    }
    return { open, requests }
  }

  test('on one page', async () => {
    // React reports the error that the boundary shows.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { open, requests } = await openStories()
    const [filled, other, empty, loading, failed] = ['Filled', 'Filled', 'Empty', 'Loading', 'Failed'].map(open)
    await waitFor(() => expect(other!.text()).toBe('AnnAdd'))
    await waitFor(() => expect(empty!.text()).toBe('Nobody is here.Add'))
    await waitFor(() => expect(failed!.text()).toContain('503'))
    fireEvent.click(filled!.container.querySelector('button')!)
    await waitFor(() => expect(filled!.text()).toBe('AnnBobAdd'))
    expect([other!.text(), empty!.text(), loading!.text()]).toEqual(['AnnAdd', 'Nobody is here.Add', 'Loading…'])
    expect(requests).toEqual([])
  })

  test('instead of another one', async () => {
    const { open } = await openStories()
    const canvas = open('Filled')
    await waitFor(() => expect(canvas.text()).toBe('AnnAdd'))
    canvas.become('Empty')
    await waitFor(() => expect(canvas.text()).toBe('Nobody is here.Add'))
    canvas.become('Loading')
    expect(canvas.text()).toBe('Loading…')
  })
})
