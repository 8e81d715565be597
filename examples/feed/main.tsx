import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import './shared/style.css'
import { App } from './App.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider>
      <App />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
