import { useState } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import useSWRMutation from 'swr/mutation'
import { type Contact, createContact, deleteContact, type Group, updateContact } from './api'

export function ContactList({ search, onOpen }: { search: string; onOpen: (id: string) => void }) {
  const { data, error, isLoading, isValidating } = useSWR<Contact[]>(`/contacts?search=${search}`, {
    keepPreviousData: true,
  })
  if (isLoading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return (
    <ul aria-label="Contacts" aria-busy={isValidating}>
      {data?.map((contact) => (
        <li key={contact.id}>
          <button onClick={() => onOpen(contact.id)}>
            {contact.favorite ? '★ ' : ''}
            {contact.name}
          </button>
        </li>
      ))}
    </ul>
  )
}

function ContactCard({
  contact,
  onRefresh,
  onClose,
}: {
  contact: Contact
  onRefresh: () => void
  onClose: () => void
}) {
  const { data: group } = useSWR<Group>(() => contact.group && `/groups/${contact.group.id}`)
  const { mutate } = useSWRConfig()
  const update = useSWRMutation(`/contacts/${contact.id}`, updateContact, {
    onSuccess: () => mutate((key) => typeof key === 'string' && key.startsWith('/contacts')),
  })
  return (
    <article>
      <h2>{contact.name}</h2>
      <p>{contact.email}</p>
      <p>{group ? group.title : 'no group'}</p>
      <button onClick={onRefresh}>Refresh</button>
      <button disabled={update.isMutating} onClick={() => void update.trigger({ favorite: !contact.favorite })}>
        {contact.favorite ? 'Forget' : 'Favorite'}
      </button>
      <button
        onClick={async () => {
          await deleteContact(contact.id)
          onClose()
          await mutate((key) => typeof key === 'string' && key.startsWith('/contacts?'))
        }}
      >
        Delete
      </button>
    </article>
  )
}

export function ContactDetail({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { data: contact, mutate: refetch } = useSWR<Contact>(id ? `/contacts/${id}` : null)
  if (!contact) return <p>Nobody</p>
  return <ContactCard contact={contact} onRefresh={() => void refetch()} onClose={onClose} />
}

export function NewContact() {
  const [name, setName] = useState('')
  const { mutate } = useSWRConfig()
  const { trigger, isMutating, error } = useSWRMutation('/contacts', createContact, {
    onSuccess: () => {
      setName('')
      void mutate((key) => typeof key === 'string' && key.startsWith('/contacts'))
    },
  })
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        await trigger({ name, email: `${name}@example.test` }).catch(() => undefined)
      }}
    >
      <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <button disabled={isMutating}>Add</button>
      {error && <p role="alert">Not saved</p>}
    </form>
  )
}
