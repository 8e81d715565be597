// @vitest-environment happy-dom
import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { expect, test } from 'vitest'

test('RCT-8 these tests run on React 18.3', () => {
  expect([version, domVersion]).toEqual(['18.3.1', '18.3.1'])
})
