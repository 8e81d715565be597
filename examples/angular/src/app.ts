import { ChangeDetectionStrategy, Component } from '@angular/core'
import { RouterLink, RouterOutlet } from '@angular/router'
import { injectFetching, injectLive, injectMutating } from 'restitch/angular'
import { getVisits } from './tasks'

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <nav>
      <a routerLink="/">All tasks</a>
      <a routerLink="/" [queryParams]="{ open: true }">Open</a>
      <a routerLink="/activity">Activity</a>
      @if (reads() + writes() > 0) {
        <progress aria-label="Loading"></progress>
      }
    </nav>
    <main><router-outlet /></main>
    <footer>visits: {{ visits.data().count }}</footer>
  `,
})
export class App {
  protected readonly reads = injectFetching()
  protected readonly writes = injectMutating()
  protected readonly visits = injectLive(getVisits)
}
