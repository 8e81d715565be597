import { createRestitch } from 'restitch/vue'
import { createApp } from 'vue'
import './shared/style.css'
import App from './App.vue'

if (import.meta.env.DEV) {
  void import('restitch/devtools').then(({ mountDevtools }) => mountDevtools())
}

createApp(App).use(createRestitch()).mount('#root')
