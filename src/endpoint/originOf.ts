/** Scheme, host and port of an address. Not every `URL` of React Native can tell the origin itself. */
export function originOf(url: string): string {
  const { document, location } = globalThis as Partial<typeof globalThis>
  return new URL(url, document?.baseURI ?? location?.href).href.split('/', 3).join('/')
}
