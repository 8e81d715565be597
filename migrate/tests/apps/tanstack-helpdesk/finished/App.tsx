import { useState } from 'react'
import { Agents } from './components/Agents'
import { Header } from './components/Header'
import { NewTicketForm } from './components/NewTicketForm'
import { SignIn } from './components/SignIn'
import { TicketList } from './components/TicketList'
import { TicketView } from './components/TicketView'
import { useToasts } from './lib/toasts'
import { DataProvider } from 'restitch/react'

type Page = { name: 'tickets' } | { name: 'ticket'; id: string } | { name: 'agents' }

function Desk({ onSignedOut }: { onSignedOut: () => void }) {
  const [page, setPage] = useState<Page>({ name: 'tickets' })
  const open = (id: string) => setPage({ name: 'ticket', id })
  return (
    <>
      <Header onOpen={open} onSignedOut={onSignedOut} />
      <nav>
        <button onClick={() => setPage({ name: 'tickets' })}>Tickets</button>
        <button onClick={() => setPage({ name: 'agents' })}>Agents</button>
      </nav>
      {page.name === 'tickets' && (
        <>
          <NewTicketForm onCreated={open} />
          <TicketList onOpen={open} />
        </>
      )}
      {page.name === 'ticket' && <TicketView key={page.id} id={page.id} onBack={() => setPage({ name: 'tickets' })} />}
      {page.name === 'agents' && <Agents />}
    </>
  )
}

function Toasts() {
  const toasts = useToasts()
  return (
    <div aria-label="Messages">
      {toasts.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
    </div>
  )
}

export function App() {
  const [isSignedIn, setIsSignedIn] = useState(false)
  return (
    <DataProvider>
      {isSignedIn ? (
        <Desk onSignedOut={() => setIsSignedIn(false)} />
      ) : (
        <SignIn onSignedIn={() => setIsSignedIn(true)} />
      )}
      <Toasts />
    </DataProvider>
  )
}
