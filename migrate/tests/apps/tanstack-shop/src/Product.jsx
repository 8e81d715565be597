import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { updateProduct } from './api'
import { productQuery, ratesQuery } from './queries'

function Price({ cents }) {
  const { data: rate } = useSuspenseQuery({ ...ratesQuery, select: (rates) => rates.usd })
  return (
    <span>
      {cents / 100} € ({((cents / 100) * rate).toFixed(2)} $)
    </span>
  )
}

export function Product({ id }) {
  const { data: product } = useSuspenseQuery(productQuery(id))
  const queryClient = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (changes) => updateProduct(id, changes),
    onSuccess: (updated) => {
      queryClient.setQueryData(['products', id], updated)
      queryClient.invalidateQueries({ queryKey: ['products'] })
    },
  })
  return (
    <article>
      <h2>{product.name}</h2>
      <Price cents={product.cents} />
      <p>{product.inStock ? 'In stock' : 'Sold out'}</p>
      <button
        disabled={isPending}
        onClick={async () => {
          await mutateAsync({ ...product, inStock: !product.inStock })
        }}
      >
        {product.inStock ? 'Mark as sold out' : 'Restock'}
      </button>
    </article>
  )
}
