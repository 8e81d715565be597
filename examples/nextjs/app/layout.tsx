import type { ReactNode } from 'react'
import { RestitchDevtools } from 'restitch/devtools'
import { DataProvider } from 'restitch/react/nextjs'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <DataProvider>
          {children}
          <RestitchDevtools />
        </DataProvider>
      </body>
    </html>
  )
}
