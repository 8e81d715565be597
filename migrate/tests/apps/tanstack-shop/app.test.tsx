import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { describeApp } from '../harness.ts'

describeApp(
  'tanstack-shop',
  () => {
    let products = [
      { id: 1, name: 'Assam', category: 'tea', cents: 500, inStock: true },
      { id: 2, name: 'Sencha', category: 'tea', cents: 700, inStock: true },
      { id: 3, name: 'Java', category: 'coffee', cents: 900, inStock: true },
      { id: 4, name: 'Keemun', category: 'tea', cents: 800, inStock: true },
    ]
    return ({ method, path, search, body }) => {
      const product = products.find(({ id }) => path === `/products/${id}`)
      if (path === '/categories') {
        return { body: ['tea', 'coffee'] }
      }
      if (path === '/rates') {
        return { body: { usd: 2 } }
      }
      if (path === '/products') {
        const page = Number(search.get('page'))
        return {
          body: products.filter(({ category }) => category === search.get('category')).slice(page * 2 - 2, page * 2),
        }
      }
      if (method === 'PUT' && product) {
        products = products.map((one) => (one === product ? body : one))
        return { body }
      }
      return product && { body: product }
    }
  },
  (open) => {
    test('shows products of a category, page by page', async () => {
      await open()
      const list = await screen.findByRole('list', { name: 'Products' })
      expect(within(list).getAllByRole('listitem')).toHaveLength(2)
      fireEvent.click(screen.getByRole('button', { name: 'Next page' }))
      expect(await screen.findByRole('button', { name: 'Keemun' })).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: 'coffee' }))
      expect(await screen.findByRole('list', { name: 'Products' })).toBeTruthy()
    })

    test('shows a product, and changes it in the list too', async () => {
      const calls = await open()
      const button = await screen.findByRole('button', { name: 'Sencha' })
      fireEvent.mouseEnter(button)
      fireEvent.click(button)
      expect(await screen.findByText('7 € (14.00 $)')).toBeTruthy()
      fireEvent.click(await screen.findByRole('button', { name: 'Mark as sold out' }))
      expect(await screen.findByText('Sold out')).toBeTruthy()
      expect(await screen.findByRole('button', { name: 'Sencha (sold out)' })).toBeTruthy()
      expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
        path: '/products/2',
        body: { name: 'Sencha', inStock: false },
      })
    })
  },
)
