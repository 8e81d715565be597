/** @jsxImportSource solid-js */
import { RestitchProvider } from 'restitch/solid'
import { render } from 'solid-js/web'
import './shared/style.css'
import { App } from './App.tsx'

if (import.meta.env.DEV) {
  void import('restitch/devtools').then(({ mountDevtools }) => mountDevtools())
}

render(
  () => (
    <RestitchProvider>
      <App />
    </RestitchProvider>
  ),
  document.getElementById('root')!,
)
