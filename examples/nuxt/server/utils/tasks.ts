const TITLES = ['Water the plants', 'Call Ann', 'Book a table', '</script><script>globalThis.broken = true</script>']

/** The tasks of this process. */
export const tasks = TITLES.map((title, index) => ({ id: String(index + 1), title, done: index === 1 }))

export function findTask(id: string | undefined) {
  const task = tasks.find((other) => other.id === id)
  if (!task) {
    throw createError({ statusCode: 404, message: 'There is no such task' })
  }
  return task
}
