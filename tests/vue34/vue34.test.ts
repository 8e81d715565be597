// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { version } from 'vue'

test('VUE-1 these tests run on Vue 3.4', () => {
  expect(version).toBe('3.4.38')
})
