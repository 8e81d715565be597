import { All, Entity, Query, RestEndpoint, Values } from 'restitch'

/** Something that is traded. The server sends a map of them, keyed by symbol. */
export class Instrument extends Entity {
  symbol = ''
  name = ''
  open = 0
  static override key = 'Instrument'

  override pk() {
    return this.symbol
  }
  // The symbol is the name of the member, not a field of its value.
  static override process(input: any, parent: any, key: string | undefined, args: readonly any[]) {
    return { symbol: key, ...super.process(input, parent, key, args) }
  }
}

/** The current price of an instrument. */
export class Quote extends Entity {
  symbol = ''
  price = 0
  static override key = 'Quote'

  override pk() {
    return this.symbol
  }
  static override process(input: any, parent: any, key: string | undefined, args: readonly any[]) {
    return { symbol: key, ...super.process(input, parent, key, args) }
  }
}

export class Holding extends Entity {
  symbol = ''
  quantity = 0
  static override key = 'Holding'

  override pk() {
    return this.symbol
  }
}

export const getInstruments = new RestEndpoint({ path: '/api/instruments', schema: new Values(Instrument) })
export const getQuotes = new RestEndpoint({ path: '/api/quotes', schema: new Values(Quote) })
export const getHoldings = new RestEndpoint({ path: '/api/holdings', schema: [Holding] })
export const placeOrder = new RestEndpoint({
  path: '/api/orders',
  method: 'POST',
  body: {} as { symbol: string; quantity: number },
  schema: { holding: Holding },
})

/** The value of the portfolio: quantities from one endpoint times prices from another. */
export const portfolioValue = new Query(
  { holdings: new All(Holding), quotes: new All(Quote) },
  ({ holdings = [], quotes = [] }) => {
    const prices = new Map(quotes.map(({ symbol, price }) => [symbol, price]))
    return holdings.reduce((sum, { symbol, quantity }) => sum + quantity * (prices.get(symbol) ?? 0), 0)
  },
)
