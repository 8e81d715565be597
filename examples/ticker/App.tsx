import { useSyncExternalStore } from 'react'
import { AsyncBoundary, useFetch, useMutation, useQuery, useSuspense } from 'restitch/react'
import {
  getHoldings,
  getInstruments,
  getQuotes,
  Holding,
  placeOrder,
  portfolioValue,
  Quote,
  type Instrument,
} from './market.ts'
import { connection } from './live.ts'

export function App() {
  const isLive = useSyncExternalStore(connection.subscribe, connection.isLive)
  return (
    <main>
      <div className="row spread">
        <h1>Ticker</h1>
        <span className="badge" role="status">
          {isLive ? 'Live' : 'Connecting…'}
        </span>
      </div>
      <AsyncBoundary fallback={<p>Loading prices…</p>}>
        <Market />
      </AsyncBoundary>
    </main>
  )
}

function Market() {
  // All three requests start together.
  void useFetch(getQuotes)
  void useFetch(getHoldings)
  const instruments = useSuspense(getInstruments)
  return (
    <>
      <Portfolio />
      <section className="card">
        <table>
          <thead>
            <tr>
              <th>Symbol</th>
              <th>Name</th>
              <th className="number">Price</th>
              <th className="number">Today</th>
              <th className="number">You own</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {Object.values(instruments).map((instrument) => (
              <InstrumentRow key={instrument.symbol} instrument={instrument} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Portfolio() {
  // These wait for the two endpoints; the query combines what they, the socket and orders brought.
  useSuspense(getQuotes)
  useSuspense(getHoldings)
  const value = useQuery(portfolioValue) ?? 0
  return (
    <section className="card row spread">
      <span>Your portfolio</span>
      <strong>{formatMoney(value)}</strong>
    </section>
  )
}

/** Renders again when its own price changes, not when another one does. */
function InstrumentRow({ instrument: { symbol, name, open } }: { instrument: Instrument }) {
  const price = useQuery(Quote, { symbol })?.price ?? open
  const quantity = useQuery(Holding, { symbol })?.quantity ?? 0
  const change = ((price - open) / open) * 100
  const { mutate, loading, error } = useMutation(placeOrder)
  const trade = (quantity: number) => mutate({ symbol, quantity })
  return (
    <tr>
      <td>
        <strong>{symbol}</strong>
      </td>
      <td>{name}</td>
      <td className="number">{formatMoney(price)}</td>
      <td className="number" style={{ color: change < 0 ? 'var(--danger)' : 'var(--success)' }}>
        {change < 0 ? '▼' : '▲'} {Math.abs(change).toFixed(1)} %
      </td>
      <td className="number">{quantity}</td>
      <td>
        <div className="row">
          <button aria-label={`Buy ${symbol}`} disabled={loading} onClick={() => trade(1)}>
            Buy
          </button>
          <button aria-label={`Sell ${symbol}`} disabled={loading} onClick={() => trade(-1)}>
            Sell
          </button>
          {error && <span role="alert">{error.message}</span>}
        </div>
      </td>
    </tr>
  )
}

const formatMoney = (amount: number): string => amount.toLocaleString('en', { style: 'currency', currency: 'USD' })
