import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import './shared/style.css'
import './notes.css'
import { store } from './notes.ts'
import { router } from './routes.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider store={store}>
      <RouterProvider router={router} />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
