import { createRestitch } from 'restitch/vue'
import { createApp } from 'vue'
import '../shared/style.css'
import App from './App.vue'

createApp(App).use(createRestitch()).mount('#root')
