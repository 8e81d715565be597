import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { getDefaultManagers } from 'restitch'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import './shared/style.css'
import { App } from './App.tsx'
import { auth } from './session.ts'

const managers = [auth.manager, ...getDefaultManagers()]

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider managers={managers}>
      <App />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
