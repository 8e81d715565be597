import { index, route, type RouteConfig } from '@react-router/dev/routes'

export default [index('list.tsx'), route('notes/:id', 'note.tsx')] satisfies RouteConfig
