import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'rtk-issues',
  () => {
    const labels = [{ id: 1, name: 'bug' }]
    let issues = [
      { id: 1, title: 'Crash', open: true, labels },
      { id: 2, title: 'Typo', open: true, labels: [] as typeof labels },
      { id: 3, title: 'Leak', open: false, labels },
    ]
    return ({ method, path, search, body, headers }) => {
      if (headers['x-client'] !== 'issues') {
        return { status: 400, body: {} }
      }
      const id = Number(path.split('/')[2])
      const issue = issues.find((one) => one.id === id)
      if (path === '/summary') {
        return {
          body: {
            summary: {
              open: issues.filter(({ open }) => open).length,
              closed: issues.filter(({ open }) => !open).length,
            },
          },
        }
      }
      if (path === '/issues' && method === 'POST') {
        const created = { id: 4, open: true, labels: [], ...body }
        issues = [...issues, created]
        return { status: 201, body: created }
      }
      if (path === '/issues') {
        return {
          body: issues.filter(
            (one) => String(one.open) === search.get('open') && one.title.includes(search.get('q') ?? ''),
          ),
        }
      }
      if (method === 'PATCH') {
        issues = issues.map((one) => (one === issue ? { ...one, ...body } : one))
        return { body: issues.find((one) => one.id === id) }
      }
      if (method === 'DELETE') {
        issues = issues.filter((one) => one !== issue)
        return { body: null }
      }
      return issue && { body: issue }
    }
  },
  (open) => {
    const list = (name: string): Promise<HTMLElement> => screen.findByRole('list', { name })

    test('shows lists, a summary and a detail', async () => {
      await open()
      expect(within(await list('Open')).getAllByRole('listitem')).toHaveLength(2)
      expect(await screen.findByText('2 open, 1 closed')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Crash' }))
      expect(await screen.findByText('bug')).toBeTruthy()
      fireEvent.change(screen.getByLabelText('Find open'), { target: { value: 'Ty' } })
      await waitFor(async () => expect(within(await list('Open')).queryByRole('button', { name: 'Crash' })).toBeNull())
    })

    test('creates, closes and deletes', async () => {
      await open()
      await list('Open')
      fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Slow' } })
      fireEvent.click(screen.getByRole('button', { name: 'Add' }))
      expect(await within(await list('Open')).findByRole('button', { name: 'Slow' })).toBeTruthy()
      expect(await screen.findByText('3 open, 1 closed')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Typo' }))
      fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
      expect(await within(await list('Closed')).findByRole('button', { name: 'Typo' })).toBeTruthy()
      expect(await screen.findByText('2 open, 2 closed')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Typo' })).toBeNull())
      expect(await screen.findByText('Nothing selected')).toBeTruthy()
    })
  },
)
