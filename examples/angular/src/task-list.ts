import { ChangeDetectionStrategy, Component, input } from '@angular/core'
import { RouterLink } from '@angular/router'
import { isOptimistic } from 'restitch'
import { injectData, injectMutation } from 'restitch/angular'
import { Tasks } from './tasks'

@Component({
  selector: 'app-task-list',
  imports: [RouterLink],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <h1>Tasks</h1>
    @if (add.error(); as error) {
      <p role="alert">Not added: {{ error.message }}</p>
    }
    <form (submit)="submit($event, title)">
      <input #title aria-label="New task" required />
      <button>Add</button>
    </form>
    @if (tasks.loading()) {
      <p>Loading…</p>
    } @else if (tasks.error(); as error) {
      <p role="alert">{{ error.message }} <button (click)="tasks.refetch()">Try again</button></p>
    }
    <ul>
      @for (task of tasks.data(); track task.id) {
        <li [class.pending]="isOptimistic(task)">
          <input
            type="checkbox"
            [attr.aria-label]="task.title"
            [checked]="task.done"
            (change)="update.mutate({ id: task.id }, { done: !task.done })"
          />
          <a [routerLink]="['/tasks', task.id]">{{ task.title }}</a>
        </li>
      }
    </ul>
  `,
})
export class TaskList {
  /** Of the address: shows the open ones alone. */
  readonly open = input<string>()
  protected readonly isOptimistic = isOptimistic
  protected readonly tasks = injectData({ endpoint: Tasks.getList, keepPrevious: true }, () =>
    this.open() ? { done: false } : {},
  )
  protected readonly update = injectMutation(Tasks.partialUpdate)
  protected readonly add = injectMutation(Tasks.getList.push)

  protected submit(event: Event, title: HTMLInputElement): void {
    event.preventDefault()
    this.add.mutate({ title: title.value })
    title.value = ''
  }
}
