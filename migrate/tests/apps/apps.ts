import type { Library } from '../../src/index.ts'

/** The apps, and the library that each uses. */
export const APPS: { readonly [name: string]: Library } = {
  'tanstack-todos': 'tanstack-query',
  'tanstack-feed': 'tanstack-query',
  'tanstack-shop': 'tanstack-query',
  'tanstack-admin': 'tanstack-query',
  'tanstack-helpdesk': 'tanstack-query',
  'swr-contacts': 'swr',
  'swr-files': 'swr',
  'rtk-issues': 'rtk-query',
  'data-client-notes': 'data-client',
}
