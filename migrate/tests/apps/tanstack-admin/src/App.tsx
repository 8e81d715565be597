import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Members } from './Members'
import { useTeams } from './useTeam'

function Teams() {
  const { data: teams, isLoading } = useTeams()
  const [selected, setSelected] = useState<string>()
  const team = teams?.find((one) => one.slug === selected)
  if (isLoading) return <p>Loading teams…</p>
  return (
    <>
      {teams?.map((one) => (
        <button key={one.id} onClick={() => setSelected(one.slug)}>
          {one.name}: {one.seats}
        </button>
      ))}
      <Members teamId={team?.id} />
    </>
  )
}

export function App() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  return (
    <QueryClientProvider client={queryClient}>
      <Teams />
    </QueryClientProvider>
  )
}
