import { signal } from '@preact/signals'
import { onDevice } from '../../state/stored.ts'
import { applyLooks } from './looks.ts'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'parley.theme'
const storedTheme = onDevice.getItem(KEY)
export const theme = signal<Theme>(THEMES.find((name) => name === storedTheme) ?? 'system')

/** Chooses the theme of this browser. */
export function chooseTheme(name: Theme): void {
  theme.value = name
  onDevice.setItem(KEY, name)
  applyTheme()
}

function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
}
applyTheme()
applyLooks()
