import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react'
import './shared/style.css'
import './notes.css'
import { store } from './notes.ts'
import { routes } from './routes.tsx'

const router = createBrowserRouter(routes)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataProvider store={store}>
      <RouterProvider router={router} />
      <RestitchDevtools />
    </DataProvider>
  </StrictMode>,
)
