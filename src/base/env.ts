// Declared here so that neither the library nor its users need the types of Node.
declare const process: { env: { NODE_ENV?: string } } | undefined

/** True in development; bundlers fold it to `false` in production builds, and it is false where `process` is missing. */
export const DEV: boolean = typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production'
