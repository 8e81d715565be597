export default defineEventHandler(async (event) => {
  const task = { id: String(tasks.length + 1), done: false, ...(await readBody<{ title: string }>(event)) }
  tasks.push(task)
  setResponseStatus(event, 201)
  return task
})
