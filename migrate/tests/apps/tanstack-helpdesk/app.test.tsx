import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'
import { createHelpdesk } from './server.ts'

describeApp('tanstack-helpdesk', createHelpdesk, (open) => {
  const signIn = async (): Promise<Awaited<ReturnType<typeof open>>> => {
    const calls = await open()
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ann@help.test' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } })
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText('3 tickets, page 1 of 2')
    return calls
  }
  const press = (name: string): boolean => fireEvent.click(screen.getByRole('button', { name }))
  const rows = (): string[] =>
    within(screen.getByRole('list', { name: 'List of tickets' }))
      .getAllByRole('listitem')
      .map((row) => row.textContent)
  const choose = (label: string, value: string): boolean =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })

  test('a wrong password is an error of the form, and a right one signs in', async () => {
    const calls = await open()
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Wrong password')
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } })
    press('Sign in')
    expect(await screen.findByText('Ann')).toBeTruthy()
    await screen.findByText('3 tickets, page 1 of 2')
    expect(calls.find(({ path }) => path === '/tickets')!.headers['authorization']).toBe('Bearer t-1')
  })

  test('pages and filters of tickets', async () => {
    const calls = await signIn()
    expect(rows()).toEqual(['Printeropen, Ann, 3 replies', 'Screenwaiting, nobody, 0 replies'])
    press('Next')
    await screen.findByText('3 tickets, page 2 of 2')
    expect(rows()).toEqual(['Mouseopen, nobody, 0 replies'])
    choose('Status', 'open')
    await waitFor(() => expect(rows()).toEqual(['Printeropen, Ann, 3 replies', 'Mouseopen, nobody, 0 replies']))
    choose('Team', '2')
    await screen.findByText('1 tickets, page 1 of 1')
    expect(rows()).toEqual(['Mouseopen, nobody, 0 replies'])
    const { search } = calls.findLast(({ path }) => path === '/tickets')!
    expect(Object.fromEntries(search)).toEqual({ status: 'open', teamId: '2', page: '1' })
  })

  test('a ticket follows its changes, and the list and the numbers do, too', async () => {
    const calls = await signIn()
    await screen.findByText('2 open, 1 waiting, 0 closed')
    press('Printer')
    const status = (): string => screen.getByLabelText<HTMLSelectElement>('Ticket status').value
    await screen.findByLabelText('Ticket status')
    choose('Ticket status', 'waiting')
    await waitFor(() => expect(status()).toBe('waiting'))
    await screen.findByText('1 open, 2 waiting, 0 closed')
    await screen.findByText('Bo')
    choose('Assignee', '2')
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Assignee').value).toBe('2'))
    press('Back')
    await waitFor(() => expect(rows()[0]).toBe('Printerwaiting, Bo, 3 replies'))
    expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({
      path: '/tickets/1',
      body: { status: 'waiting' },
    })
    expect(calls.find(({ path }) => path === '/tickets/1/assign')!.body).toEqual({ agentId: '2' })
  })

  test('a refused change is rolled back, and said', async () => {
    await signIn()
    press('Printer')
    await screen.findByLabelText('Priority')
    choose('Priority', 'urgent')
    expect(await screen.findByText('The change was not saved')).toBeTruthy()
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Priority').value).toBe('normal'))
  })

  test('replies come page by page, and a new one joins them and the number', async () => {
    const calls = await signIn()
    press('Printer')
    await screen.findByText('Ann: It is on')
    press('More replies')
    await screen.findByText('Bo: Is it loud?')
    expect(screen.queryByRole('button', { name: 'More replies' })).toBeNull()
    fireEvent.change(screen.getByLabelText('Reply'), { target: { value: 'Solved' } })
    press('Send')
    await screen.findByText('Ann: Solved')
    await screen.findByText('4 replies')
    expect(
      calls.filter(({ method, path }) => method === 'GET' && path === '/tickets/1/replies').length,
    ).toBeGreaterThan(1)
  })

  test('creates, closes several and deletes', async () => {
    await signIn()
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(false))
    fireEvent.change(screen.getByLabelText('Subject'), { target: { value: '' } })
    press('Create')
    expect((await screen.findByRole('alert')).textContent).toBe('A subject, please')
    fireEvent.change(screen.getByLabelText('Subject'), { target: { value: 'Desk' } })
    press('Create')
    expect(await screen.findByText('Ticket 4 is open')).toBeTruthy()
    await screen.findByRole('article', { name: 'Desk' })
    press('Tickets')
    await screen.findByText('4 tickets, page 1 of 2')
    fireEvent.click(screen.getByLabelText('Choose Printer'))
    fireEvent.click(screen.getByLabelText('Choose Screen'))
    press('Close chosen')
    expect(await screen.findByText('2 tickets are closed')).toBeTruthy()
    await waitFor(() => expect(rows()[1]).toBe('Screenclosed, nobody, 0 replies'))
    await screen.findByText('2 open, 0 waiting, 2 closed')
    press('Screen')
    await screen.findByRole('article', { name: 'Screen' })
    press('Delete')
    await screen.findByText('3 tickets, page 1 of 2')
    expect(rows()).not.toContain('Screenclosed, nobody, 0 replies')
  })

  test('searches while you write', async () => {
    const calls = await signIn()
    fireEvent.change(screen.getByLabelText('Search tickets'), { target: { value: 'mou' } })
    expect(await screen.findByRole('button', { name: 'Mouse: open' })).toBeTruthy()
    expect(calls.filter(({ path }) => path === '/search').map(({ search }) => search.get('q'))).toEqual(['mou'])
  })

  test('notifications are read one by one, and all at once', async () => {
    const calls = await signIn()
    await screen.findByText('3 unread')
    press('Bo replied')
    await screen.findByText('2 unread')
    await screen.findByRole('article', { name: 'Printer' })
    press('Mark all as read')
    await screen.findByText('0 unread')
    expect(calls.filter(({ path }) => path.startsWith('/notifications/')).map(({ path }) => path)).toEqual([
      '/notifications/1/read',
      '/notifications/read',
    ])
  })

  test('invites, promotes and removes agents, and a name changes everywhere', async () => {
    await signIn()
    press('Agents')
    await screen.findByText(/^Bo \(agent, Hardware\)/)
    fireEvent.change(screen.getByLabelText('Name of the new agent'), { target: { value: 'Cy' } })
    press('Invite')
    await screen.findByText(/^Cy \(agent, Hardware\)/)
    press('Promote Bo')
    await screen.findByText(/^Bo \(lead, Hardware\)/)
    press('Remove Cy')
    await waitFor(() => expect(screen.queryByText(/^Cy/)).toBeNull())
    press('Rename me')
    await screen.findByText('Ann!')
    await screen.findByText(/^Ann! \(lead/)
  })

  test('signing out empties the cache', async () => {
    const calls = await signIn()
    const { length } = calls.filter(({ path }) => path === '/tickets')
    press('Sign out')
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
    press('Sign in')
    await screen.findByText('3 tickets, page 1 of 2')
    expect(calls.filter(({ path }) => path === '/tickets').length).toBe(length + 1)
  })
})
