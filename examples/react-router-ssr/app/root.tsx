import { type ReactNode, useContext } from 'react'
import { Links, Meta, Outlet, Scripts } from 'react-router'
import { DataProvider } from 'restitch/react'
import { StoreContext } from './StoreContext.ts'

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return (
    <DataProvider store={useContext(StoreContext)}>
      <Outlet />
    </DataProvider>
  )
}
