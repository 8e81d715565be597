import solid from 'vite-plugin-solid'
import { describeApp } from '../shared/testing.ts'
import { testTodos } from '../shared/todoTests.ts'
import { createApi } from './server.ts'

describeApp('solid', createApi, testTodos, () => solid())
