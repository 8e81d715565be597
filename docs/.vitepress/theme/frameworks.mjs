// The choice of a framework, for all pages. The script in the head (config.mjs) has put it on the page before the first paint.
import { ref } from 'vue'

export const STORAGE_KEY = 'restitch-framework'

/** `react`, `vue`, `svelte` or `solid`. */
export const framework = ref('react')

/** Takes over what the script in the head has read. */
export function readFramework() {
  framework.value = document.documentElement.dataset.framework ?? 'react'
}

/** Shows the code of a framework on every page. The switch that was used stays where it is on the screen. */
export function chooseFramework(name, element) {
  const before = element.getBoundingClientRect().top
  framework.value = name
  document.documentElement.dataset.framework = name
  try {
    localStorage.setItem(STORAGE_KEY, name)
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' })
}
