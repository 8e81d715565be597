import vue from '@vitejs/plugin-vue'
import { describeApp } from '../shared/testing.ts'
import { testTodos } from '../shared/todoTests.ts'
import { createApi } from './server.ts'

describeApp('vue', createApi, testTodos, vue)
