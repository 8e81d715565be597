import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white text on it, in both schemes.
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
})

/** Quiet text that can still be read: at least 4.5 : 1. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-body': '#fff',
    '--app-canvas': '#f6f7f9',
    '--app-line': 'var(--mantine-color-gray-3)',
    '--app-late': 'var(--mantine-color-red-9)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b1',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-body': '#1b1d21',
    '--app-canvas': '#141518',
    '--app-line': 'var(--mantine-color-dark-5)',
    '--app-late': 'var(--mantine-color-red-4)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
