import { error } from '@sveltejs/kit'

const TITLES = ['Water the plants', 'Call Ann', 'Book a table', '</script><script>globalThis.broken = true</script>']

/** The tasks of this process. */
export const tasks = TITLES.map((title, index) => ({ id: String(index + 1), title, done: index === 1 }))

export function findTask(id: string): (typeof tasks)[number] {
  return tasks.find((task) => task.id === id) ?? error(404, 'There is no such task')
}
