import type { AuthConfig, Config } from './config.ts'
import type { SecurityScheme } from './Description.ts'
import type { Model } from './Model.ts'
import type { Report } from './Report.ts'

/** How requests are authorised: the first scheme of the description that a client can use. */
export function inferAuth(model: Model, config: Config, report: Report): AuthConfig | undefined {
  if (config.auth !== undefined) {
    return config.auth || undefined
  }
  const schemes = model.description.components?.securitySchemes ?? {}
  const preferred = (model.description.security ?? []).flatMap((requirement) => Object.keys(requirement))
  const names = [...new Set([...preferred, ...Object.keys(schemes)])]
  const usable = names.flatMap((name) => {
    const scheme = schemes[name]
    const auth = scheme && authOf(model.follow(scheme))
    return auth ? [{ name, auth }] : []
  })
  const [first, ...others] = usable
  if (first === undefined) {
    const why = names.length === 0 ? 'the description has no security scheme' : 'its schemes have no equivalent'
    report.add('unsure', 'auth', 'requests', 'without credentials', `${why}; set "auth" if they need some`)
    return undefined
  }
  const why = others.length > 0 ? `the first of ${usable.map(({ name }) => name).join(', ')}` : 'the only scheme'
  report.add('inferred', 'auth', first.name, first.auth.type, why)
  return first.auth
}

function authOf({ type, scheme, in: place, name }: SecurityScheme): AuthConfig | undefined {
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme?.toLowerCase() === 'bearer')) {
    return { type: 'bearer' }
  }
  if (type === 'http' && scheme?.toLowerCase() === 'basic') {
    return { type: 'basic' }
  }
  if (type !== 'apiKey' || place === undefined || name === undefined) {
    return undefined
  }
  return place === 'cookie' ? { type: 'cookie' } : { type: place, name }
}
