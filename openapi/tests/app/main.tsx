import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AsyncBoundary, DataProvider } from 'restitch/react'
import { App } from './App.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        <App />
      </AsyncBoundary>
    </DataProvider>
  </StrictMode>,
)
