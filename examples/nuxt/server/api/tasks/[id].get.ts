export default defineEventHandler((event) => findTask(getRouterParam(event, 'id')))
