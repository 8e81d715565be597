// Membership of lists through a whole store: every request is sent, and the test responds.
import { createStore } from 'restitch'
import { deferred } from '../../src/testing/outcomes.ts'
import { testMembership } from '../membership.ts'

testMembership(() => {
  const { controller, view, stop } = createStore()
  return {
    fill: (endpoint, args, answer) =>
      void controller.resolve(endpoint, { args, response: endpoint.process(answer, ...args), fetchedAt: Date.now() }),
    send(endpoint, args) {
      const { promise, resolve, reject } = deferred<Response>()
      const outcome = controller.fetch(endpoint.extend({ fetchResponse: () => promise }), ...(args as any))
      return {
        answer: (value) => {
          resolve(Response.json(value))
          return outcome
        },
        fail: (error) => {
          reject(error)
          return outcome.catch(() => {})
        },
      }
    },
    show: (endpoint, args) => view(endpoint, ...(args as any)).read().data,
    end: stop,
  }
}, 0)
