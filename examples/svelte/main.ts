import { mount } from 'svelte'
import './shared/style.css'
import App from './App.svelte'

if (import.meta.env.DEV) {
  void import('restitch/devtools').then(({ mountDevtools }) => mountDevtools())
}

mount(App, { target: document.getElementById('root')! })
