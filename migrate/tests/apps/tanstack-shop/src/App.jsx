import { QueryClient, QueryClientProvider, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Product } from './Product'
import { categoriesQuery, productQuery, productsQuery } from './queries'

const client = new QueryClient()

function Products({ category, page, onOpen }) {
  const { data: products } = useSuspenseQuery(productsQuery(category, page))
  const queryClient = useQueryClient()
  return (
    <ul aria-label="Products">
      {products.map((product) => (
        <li key={product.id}>
          <button
            onMouseEnter={() => queryClient.prefetchQuery(productQuery(product.id))}
            onClick={() => onOpen(product.id)}
          >
            {product.name}
            {product.inStock ? '' : ' (sold out)'}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Shop() {
  const { data: categories } = useSuspenseQuery(categoriesQuery)
  const [category, setCategory] = useState('tea')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState(null)
  return (
    <>
      <nav>
        {categories.map((name) => (
          <button key={name} onClick={() => setCategory(name)}>
            {name}
          </button>
        ))}
      </nav>
      <Suspense fallback={<p>Loading products…</p>}>
        <Products category={category} page={page} onOpen={setOpen} />
      </Suspense>
      <button onClick={() => setPage(page + 1)}>Next page</button>
      <Suspense fallback={<p>Loading product…</p>}>{open !== null && <Product id={open} />}</Suspense>
    </>
  )
}

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<p>Loading shop…</p>}>
        <Shop />
      </Suspense>
    </QueryClientProvider>
  )
}
