import { ChangeDetectionStrategy, Component, type ElementRef, viewChild } from '@angular/core'
import { injectEndRef, injectInfinite } from 'restitch/angular'
import { getActivity } from './tasks'

@Component({
  selector: 'app-activity',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <h1>Activity</h1>
    @for (entry of feed.items(); track entry.id) {
      <p>{{ entry.text }}</p>
    }
    @if (feed.error(); as error) {
      <p role="alert">{{ error.message }} <button (click)="feed.fetchNextPage()">Try again</button></p>
    }
    <div #end></div>
    @if (!feed.loading() && !feed.hasNextPage()) {
      <p>That is all.</p>
    }
  `,
})
export class ActivityFeed {
  protected readonly feed = injectInfinite(getActivity)
  protected readonly end = viewChild<ElementRef<Element>>('end')

  constructor() {
    injectEndRef(this.feed, this.end)
  }
}
