const base = 'https://api.test'

const read = async (response) => {
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

export const get = ([path, params]) => fetch(`${base}${path}?${new URLSearchParams(params)}`).then(read)

export const getOne = (path) => fetch(base + path).then(read)

export const rename = (path, { arg }) =>
  fetch(base + path, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(arg),
  }).then(read)
