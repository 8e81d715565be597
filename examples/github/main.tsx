import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { getDefaultManagers, LogoutManager } from 'restitch'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import '../shared/style.css'
import { App } from './App.tsx'
import { session } from './session.ts'

const managers = [
  // A 401 ends the session: the login form is shown, and nothing of the user stays in memory.
  new LogoutManager({
    handleLogout(controller) {
      session.close()
      return controller.resetEntireStore()
    },
  }),
  ...getDefaultManagers(),
]

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider managers={managers}>
      <App />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
