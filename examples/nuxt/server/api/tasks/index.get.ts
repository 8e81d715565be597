export default defineEventHandler(() => tasks)
