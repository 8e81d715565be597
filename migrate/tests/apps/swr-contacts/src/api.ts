export interface Contact {
  id: string
  name: string
  email: string
  favorite: boolean
  group: Group | null
}

export interface Group {
  id: string
  title: string
}

export interface ContactForm {
  name: string
  email: string
}

async function send<T>(url: string, method = 'GET', body?: unknown): Promise<T> {
  const response = await fetch(`https://api.test${url}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { 'content-type': 'application/json', Authorization: `Token ${localStorage.getItem('token') ?? 'guest'}` },
  })
  if (!response.ok) {
    throw new Error(`${method} ${url} failed`)
  }
  return response.json()
}

export const fetcher = (url: string) => send(url)

export const createContact = (url: string, { arg }: { arg: ContactForm }) => send<Contact>(url, 'POST', arg)

export const updateContact = (url: string, { arg }: { arg: Partial<Contact> }) => send<Contact>(url, 'PATCH', arg)

export const deleteContact = (id: string) => send<Contact>(`/contacts/${id}`, 'DELETE')
