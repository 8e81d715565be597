import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'swr-files',
  () => {
    let files = [
      { id: 'a', name: 'letter', folder: 'home', size: 30 },
      { id: 'b', name: 'poem', folder: 'home', size: 20 },
      { id: 'c', name: 'plan', folder: 'work', size: 10 },
    ]
    return ({ method, path, search, body }) => {
      if (path === '/usage') {
        return { body: { used: 60, total: 100 } }
      }
      if (path === '/files') {
        const own = files.filter(({ folder }) => folder === search.get('folder'))
        return {
          body: own.sort((a, b) => (search.get('sort') === 'size' ? a.size - b.size : a.name < b.name ? -1 : 1)),
        }
      }
      const file = files.find(({ id }) => path === `/files/${id}`)
      if (method === 'PUT' && file) {
        files = files.map((one) => (one === file ? body : one))
        return { body }
      }
      return file && { body: file }
    }
  },
  (open) => {
    test('shows folders, sorted', async () => {
      const calls = await open()
      expect(await screen.findByText('60 of 100')).toBeTruthy()
      expect((await screen.findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
        'letter 30 bytes',
        'poem 20 bytes',
      ])
      fireEvent.click(screen.getByRole('button', { name: 'By size' }))
      expect(await screen.findByText('poem')).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'Work' }))
      expect(await screen.findByRole('button', { name: 'plan' })).toBeTruthy()
      expect(calls.some(({ search }) => search.get('folder') === 'work' && search.get('sort') === 'size')).toBe(true)
    })

    test('renames a file in the list, too', async () => {
      await open()
      fireEvent.click(await screen.findByRole('button', { name: 'poem' }))
      fireEvent.change(await screen.findByLabelText('File name'), { target: { value: 'ballad' } })
      fireEvent.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByRole('button', { name: 'ballad' })).toBeTruthy()
    })
  },
)
