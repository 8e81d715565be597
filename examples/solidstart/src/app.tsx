import { Router } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { FileRoutes } from '@solidjs/start/router'
import { RestitchProvider } from 'restitch/solid'
import { ErrorBoundary, Suspense } from 'solid-js'
import { currentStore } from './store'

export default function App() {
  return (
    <RestitchProvider store={currentStore()}>
      <Router
        root={(props) => (
          <ErrorBoundary
            fallback={(error: { status?: number; message: string }) => (
              <>
                <HttpStatusCode code={error.status ?? 500} />
                <p role="alert">{error.message}</p>
              </>
            )}
          >
            <Suspense>{props.children}</Suspense>
          </ErrorBoundary>
        )}
      >
        <FileRoutes />
      </Router>
    </RestitchProvider>
  )
}
