import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import { App } from './App.tsx'
import { store } from './resources/store.ts'
import { cssVariablesResolver, theme } from './theme.ts'

/** A boundary already shows failed requests; React would log them to the console as well. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof Error && 'status' in error)) {
    console.error(error)
  }
}

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <DataProvider store={store} own devButton={null}>
        <App />
        {/* Below the navigation, where its button covers nothing. */}
        <RestitchDevtools position="bottom-left" />
      </DataProvider>
    </MantineProvider>
  </StrictMode>,
)
