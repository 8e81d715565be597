import { Entity, hookifyResource, resource } from 'restitch'
import { useLocation } from 'wouter'
import { ApiEndpoint } from './api.ts'

export class Label extends Entity {
  id = ''
  name = ''
  color = 'gray'
  static override key = 'Label'
}

export const LabelResource = resource({
  path: '/labels/:id',
  schema: Label,
  Endpoint: ApiEndpoint,
  dataExpiryLength: Infinity,
})

/** The same as hooks, for headers that only a component knows: here the current screen. */
export const Labels = hookifyResource(LabelResource, function useInit() {
  const [screen] = useLocation()
  return { headers: { 'X-Screen': screen } }
})
