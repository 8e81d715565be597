import { queryOptions } from '@tanstack/react-query'
import { getCategories, getProduct, getProducts, getRates } from './api'

export const productsQuery = (category, page) =>
  queryOptions({
    queryKey: ['products', { category, page }],
    queryFn: () => getProducts(category, page),
    staleTime: 30_000,
  })

export const productQuery = (id) => queryOptions({ queryKey: ['products', id], queryFn: () => getProduct(id) })

export const categoriesQuery = queryOptions({ queryKey: ['categories'], queryFn: getCategories, staleTime: Infinity })

export const ratesQuery = queryOptions({ queryKey: ['rates'], queryFn: getRates })
