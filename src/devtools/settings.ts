/** The settings that the panel keeps between visits. */
export interface Settings {
  isOpen: boolean
  tab: string
  theme: 'auto' | 'light' | 'dark'
  dock: 'bottom' | 'right' | 'float' | 'window'
  /** The height at the bottom, and the width at the right. */
  bottom: number
  right: number
  /** The size and position of the floating panel. */
  left: number
  top: number
  width: number
  height: number
}

const NAME = 'restitch.devtools'

const DEFAULTS: Settings = {
  isOpen: false,
  tab: 'Records',
  theme: 'auto',
  dock: 'bottom',
  bottom: 400,
  right: 560,
  left: 40,
  top: 40,
  width: 860,
  height: 520,
}

/** Storage may be forbidden, full, or hold anything. */
export function loadSettings(given: Partial<Settings> = {}): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    const known = Object.entries(stored as object).filter(
      ([name, value]) => typeof value === typeof DEFAULTS[name as keyof Settings],
    )
    const settings: Settings = { ...DEFAULTS, ...given, ...Object.fromEntries(known) }
    // A window opens only by a choice of the user.
    return /^(?:right|float)$/.test(settings.dock) ? settings : { ...settings, dock: 'bottom' }
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
