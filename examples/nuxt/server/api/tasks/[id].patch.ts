export default defineEventHandler(async (event) =>
  Object.assign(findTask(getRouterParam(event, 'id')), await readBody<{ done?: boolean }>(event)),
)
