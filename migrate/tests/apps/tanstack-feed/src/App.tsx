import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Feed } from './Feed'
import { Search } from './Search'

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <Search />
    <Feed />
  </QueryClientProvider>
)
