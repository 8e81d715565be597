import type { ActivatedRouteSnapshot, Routes } from '@angular/router'
import { injectController } from 'restitch/angular'
import { Tasks } from './tasks'

/** The router waits for the data. The page reads it from the store, so that it never becomes stale. */
const fetchTask = ({ params }: ActivatedRouteSnapshot) =>
  injectController()
    .fetchIfStale(Tasks.get, { id: String(params['id']) })
    // The page shows the error.
    .then(
      () => true,
      () => true,
    )

export const routes: Routes = [
  { path: '', loadComponent: () => import('./task-list').then(({ TaskList }) => TaskList) },
  {
    path: 'tasks/:id',
    resolve: { isFetched: fetchTask },
    loadComponent: () => import('./task-page').then(({ TaskPage }) => TaskPage),
  },
  { path: 'activity', loadComponent: () => import('./activity').then(({ ActivityFeed }) => ActivityFeed) },
]
