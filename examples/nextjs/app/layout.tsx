import type { ReactNode } from 'react'
import { DataProvider } from 'restitch/react/nextjs'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <DataProvider>{children}</DataProvider>
      </body>
    </html>
  )
}
