import { expect, test } from 'vitest'
import { describeApp } from '../shared/testing.ts'
import { createApi } from './server.ts'

const HEAD = 'Symbol Name Price Today You own'
const BUTTONS = '(Buy) (Sell)'

describeApp('ticker', createApi, (app) => {
  const START = ['GET /api/quotes', 'GET /api/holdings', 'GET /api/instruments']

  async function start(): Promise<void> {
    await app.open()
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,400.00',
      HEAD,
      `ACME Acme Anvils $100.00 ▲ 0.0 % 10 ${BUTTONS}`,
      `GLOB Globex $50.00 ▲ 0.0 % 0 ${BUTTONS}`,
      `HOOL Hooli $200.00 ▲ 0.0 % 2 ${BUTTONS}`,
    )
    await app.sent(...START)
    await expect.poll(() => app.api.countClients()).toBe(1)
  }

  test('shows prices of the socket, and what they make of the portfolio', async () => {
    await start()
    app.api.publish({ ACME: 110, GLOB: 45 })
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,500.00',
      HEAD,
      `ACME Acme Anvils $110.00 ▲ 10.0 % 10 ${BUTTONS}`,
      `GLOB Globex $45.00 ▼ 10.0 % 0 ${BUTTONS}`,
      `HOOL Hooli $200.00 ▲ 0.0 % 2 ${BUTTONS}`,
    )
    app.api.publish({ HOOL: 250 })
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,600.00',
      HEAD,
      `ACME Acme Anvils $110.00 ▲ 10.0 % 10 ${BUTTONS}`,
      `GLOB Globex $45.00 ▼ 10.0 % 0 ${BUTTONS}`,
      `HOOL Hooli $250.00 ▲ 25.0 % 2 ${BUTTONS}`,
    )
    await app.sent()
  })

  test('an order changes the row and the portfolio, and one that is refused says why', async () => {
    await start()
    await app.page.getByRole('button', { name: 'Buy GLOB' }).click()
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,450.00',
      HEAD,
      `ACME Acme Anvils $100.00 ▲ 0.0 % 10 ${BUTTONS}`,
      `GLOB Globex $50.00 ▲ 0.0 % 1 ${BUTTONS}`,
      `HOOL Hooli $200.00 ▲ 0.0 % 2 ${BUTTONS}`,
    )
    await app.page.getByRole('button', { name: 'Sell GLOB' }).click()
    await app.page.getByText('$1,400.00').waitFor()
    await app.page.getByRole('button', { name: 'Sell GLOB' }).click()
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,400.00',
      HEAD,
      `ACME Acme Anvils $100.00 ▲ 0.0 % 10 ${BUTTONS}`,
      `GLOB Globex $50.00 ▲ 0.0 % 0 ${BUTTONS} You cannot sell more than you have`,
      `HOOL Hooli $200.00 ▲ 0.0 % 2 ${BUTTONS}`,
    )
    await app.sent('POST /api/orders', 'POST /api/orders', 'POST /api/orders 422')
  })

  test('reconnects, and fetches the prices it may have missed', async () => {
    await start()
    // Only the server knows.
    app.api.change({ GLOB: 60 })
    app.api.drop()
    await app.sees(
      'Ticker Live',
      'Your portfolio $1,400.00',
      HEAD,
      `ACME Acme Anvils $100.00 ▲ 0.0 % 10 ${BUTTONS}`,
      `GLOB Globex $60.00 ▲ 20.0 % 0 ${BUTTONS}`,
      `HOOL Hooli $200.00 ▲ 0.0 % 2 ${BUTTONS}`,
    )
    await app.sent('GET /api/quotes')
    await expect.poll(() => app.api.countClients()).toBe(1)
    app.api.publish({ GLOB: 40 })
    await app.page.getByText('$40.00').waitFor()
  })
})
