import { useState } from 'react'
import { SWRConfig } from 'swr'
import { fetcher } from './api'
import { ContactDetail, ContactList, NewContact } from './Contacts'

export function App() {
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <SWRConfig value={{ fetcher, provider: () => new Map(), shouldRetryOnError: false }}>
      <input aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <ContactList search={search} onOpen={setSelected} />
      <NewContact />
      <ContactDetail id={selected} onClose={() => setSelected(null)} />
    </SWRConfig>
  )
}
