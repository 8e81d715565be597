// The `jest` of the tests.
export const { jest } = globalThis
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
