import { svelte } from '@sveltejs/vite-plugin-svelte'
import { describeApp } from '../shared/testing.ts'
import { testTodos } from '../shared/todoTests.ts'
import { createApi } from './server.ts'

describeApp('svelte', createApi, testTodos, () => svelte({ configFile: false }))
