/** The settings that the panel keeps between visits. */
export interface Settings {
  isOpen: boolean
  tab: string
  theme: 'auto' | 'light' | 'dark'
  dock: 'bottom' | 'right' | 'float'
  /** The size and position of the floating panel. */
  left: number
  top: number
  width: number
  height: number
}

const NAME = 'restitch.devtools'

const DEFAULTS: Settings = {
  isOpen: false,
  tab: 'records',
  theme: 'auto',
  dock: 'bottom',
  left: 40,
  top: 40,
  width: 860,
  height: 380,
}

/** Storage may be forbidden, full, or hold anything. */
export function loadSettings(given: Partial<Settings> = {}): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    const known = Object.entries(stored as object).filter(
      ([name, value]) => typeof value === typeof DEFAULTS[name as keyof Settings],
    )
    return { ...DEFAULTS, ...given, ...Object.fromEntries(known) }
  } catch {
    return { ...DEFAULTS, ...given }
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(settings))
  } catch {
    // The panel works without a memory.
  }
}
