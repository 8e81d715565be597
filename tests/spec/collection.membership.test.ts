// Membership of lists, driven by hand: no request is made, so that every order of events can be had.
import { createDriver } from '../../src/testing/drivers.ts'
import { testMembership } from '../membership.ts'

/** Stores the value that an endpoint makes of a response. */
testMembership(() => {
  const driver = createDriver()
  return {
    fill: (endpoint, args, answer) => driver.open(endpoint, args).answer(endpoint.process(answer, ...args)),
    send(endpoint, args) {
      const request = driver.open(endpoint, args)
      return {
        answer: (value) => request.answer(endpoint.process(value, ...args)),
        fail: (error) => request.fail(error),
      }
    },
    show: (endpoint, args) => driver.read(endpoint, args).data,
  }
}, 1)
