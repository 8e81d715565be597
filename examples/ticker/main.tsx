import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { getDefaultManagers } from 'restitch'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import '../shared/style.css'
import { App } from './App.tsx'
import { SocketManager } from './SocketManager.ts'

const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/stream`
const managers = [new SocketManager(url), ...getDefaultManagers()]

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider managers={managers}>
      <App />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
