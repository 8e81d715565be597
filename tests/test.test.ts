// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import * as img from 'restitch/img'
import * as mock from 'restitch/mock'
import * as tools from 'restitch/test'
import * as browser from 'restitch/test/browser'
import { expect, test } from 'vitest'

test('TST-12 TST-13 TST-14 TST-15 what each entry offers', () => {
  expect(Object.keys(mock).sort()).toEqual([
    'MockController',
    'collapseFixture',
    'createFixture',
    'createFixtureMap',
    'mockInitialState',
  ])
  expect(Object.keys(browser).sort()).toEqual(['MockResolver', 'createFixture', 'mockInitialState'])
  expect(Object.keys(tools).sort()).toEqual([
    'MockResolver',
    'act',
    'createFixture',
    'makeRenderDataClient',
    'makeRenderDataHook',
    'mockInitialState',
    'renderDataHook',
    'renderHook',
  ])
  expect(tools.makeRenderDataClient).toBe(tools.makeRenderDataHook)
  expect(tools.renderHook(() => 5).result.current).toBe(5)
})

test('IMG-5 the entry of images has two names, and rests on the endpoint and one hook', () => {
  expect(Object.keys(img).sort()).toEqual(['Img', 'getImage'])
  const imports = ['getImage', 'Img'].flatMap((file) =>
    [...readFileSync(`src/img/${file}.ts`, 'utf8').matchAll(/^import (?!type).* from '(.+)'/gm)].map(
      ([, path]) => path,
    ),
  )
  expect(imports).toEqual(['../endpoint/Endpoint.ts', 'react', '../react/hooks/useSuspense.ts', './getImage.ts'])
})
