import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'

const BRAND: MantineColorsTuple = [
  '#eef0ff',
  '#e4e8ff',
  '#c6ccfb',
  '#a3b1ff',
  '#8794f5',
  '#6b79ec',
  '#5565e2',
  '#4857d6',
  '#3b4bc8',
  '#2f3da8',
]

export const theme: MantineThemeOverride = createTheme({
  // The colour of the library, which the documentation and the devtools have, too.
  colors: { brand: BRAND },
  primaryColor: 'brand',
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
    '--app-warn': '#7a4b00',
    '--app-warn-ground': '#fff3d6',
    '--app-bad': '#a3182b',
    '--app-bad-ground': '#fde2e5',
    '--code-comment': '#5c636a',
    '--code-string': '#0b6b45',
    '--code-keyword': '#a3182b',
    '--code-number': '#1d4f9c',
    '--code-name': '#7a4b00',
    '--code-call': '#3b4bc8',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b1',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-body': '#1b1d21',
    '--app-canvas': '#141518',
    '--app-line': 'var(--mantine-color-dark-5)',
    '--app-late': 'var(--mantine-color-red-4)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--app-warn': '#f6c874',
    '--app-warn-ground': '#40300f',
    '--app-bad': '#ff9dab',
    '--app-bad-ground': '#471a22',
    '--code-comment': '#a3a9b1',
    '--code-string': '#7fe0b0',
    '--code-keyword': '#ff9dab',
    '--code-number': '#9cc4ff',
    '--code-name': '#f6c874',
    '--code-call': '#a3b1ff',
  },
})
