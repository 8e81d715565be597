import { deserializeState, serializeState } from 'restitch'
import { createRestitch, createServerRestitch } from 'restitch/vue'

// Each request has its own store. Its state goes into the payload of Nuxt, and the browser starts with it.
export default defineNuxtPlugin((nuxt) => {
  if (import.meta.server) {
    const restitch = createServerRestitch({ timeout: 5_000 })
    nuxt.vueApp.use(restitch)
    nuxt.hook('app:rendered', () => {
      nuxt.payload.restitch = serializeState(restitch.store.getState())
    })
  } else {
    const { restitch = '' } = nuxt.payload
    nuxt.vueApp.use(createRestitch({ initialState: deserializeState(restitch as string) }))
    if (import.meta.dev) {
      void import('restitch/devtools').then(({ mountDevtools }) => mountDevtools())
    }
  }
})
