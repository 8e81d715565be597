import { ChangeDetectionStrategy, Component, inject, input } from '@angular/core'
import { Router } from '@angular/router'
import { injectData, injectMutation } from 'restitch/angular'
import { Tasks } from './tasks'

@Component({
  selector: 'app-task-page',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    @let task = read.state();
    @if (task.loading) {
      <p>Loading…</p>
    } @else if (task.error) {
      <p role="alert">{{ task.error.message }}</p>
    } @else {
      <h1>{{ task.data.title }}</h1>
      <label>Title <input #title [value]="task.data.title" /></label>
      <button (click)="update.mutate({ id: id() }, { title: title.value })">Rename</button>
      <button [disabled]="remove.loading()" (click)="remove.mutate({ id: id() })">Delete</button>
      @if (update.error(); as error) {
        <p role="alert">Not saved: {{ error.message }}</p>
      }
    }
  `,
})
export class TaskPage {
  readonly id = input.required<string>()
  private readonly router = inject(Router)
  protected readonly read = injectData(Tasks.get, () => ({ id: this.id() }))
  protected readonly update = injectMutation(Tasks.partialUpdate)
  protected readonly remove = injectMutation(Tasks.delete, { onSuccess: () => this.router.navigate(['/']) })
}
