const json = async (response) => {
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

export const getProducts = (category, page) => {
  const params = new URLSearchParams({ category })
  params.set('page', String(page))
  return fetch(`https://api.test/products?${params}`).then(json)
}

export const getProduct = (id) => fetch(`https://api.test/products/${id}`).then(json)

export const updateProduct = (id, changes) =>
  fetch(`https://api.test/products/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  }).then(json)

export const getCategories = () => fetch('https://api.test/categories').then(json)

export const getRates = () => fetch('https://api.test/rates').then(json)
