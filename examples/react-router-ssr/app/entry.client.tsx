import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { StoreContext } from './StoreContext.ts'
import { store } from './store.client.ts'

startTransition(() => {
  hydrateRoot(
    document,
    <StoreContext value={store}>
      <HydratedRouter />
    </StoreContext>,
  )
})
