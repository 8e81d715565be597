import type { ApplicationConfig } from '@angular/core'
import { provideClientHydration } from '@angular/platform-browser'
import { provideRouter, withComponentInputBinding } from '@angular/router'
import { getDefaultManagers } from 'restitch'
import { provideRestitch } from 'restitch/angular'
import { eventStream, LiveManager } from 'restitch/live'
import { routes } from './routes'
import { Task } from './tasks'

export const appConfig: ApplicationConfig = {
  providers: [
    provideRouter(routes, withComponentInputBinding()),
    provideClientHydration(),
    // A function, so that each app has managers of its own.
    provideRestitch(() => {
      const live = new LiveManager({
        connect: eventStream('/api/events'),
        receive: ({ data }, { set }) => set(Task, data),
      })
      return { managers: [live, ...getDefaultManagers()] }
    }),
  ],
}
