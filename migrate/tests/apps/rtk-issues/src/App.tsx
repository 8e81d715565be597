import { configureStore } from '@reduxjs/toolkit'
import { useState } from 'react'
import { Provider } from 'react-redux'
import { api } from './api'
import { Issue, Issues, NewIssue, Summary } from './Issues'

const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (getDefault) => getDefault().concat(api.middleware),
})

export function App() {
  const [selected, setSelected] = useState<number>()
  return (
    <Provider store={store}>
      <Summary />
      <Issues open={true} onSelect={setSelected} />
      <Issues open={false} onSelect={setSelected} />
      <NewIssue />
      <Issue id={selected} onClose={() => setSelected(undefined)} />
    </Provider>
  )
}
