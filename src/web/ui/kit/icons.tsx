import { signal } from '@preact/signals'
import { FIRST_PATHS } from './first-icons.built.ts'
import type { LATER_PATHS } from './later-icons.built.ts'

export type IconName = keyof typeof FIRST_PATHS | keyof typeof LATER_PATHS

/** Every path, once the icons of menus, dialogs and calls are loaded. */
const paths = signal<Partial<Record<IconName, string>>>(FIRST_PATHS)
void import('./later-icons.built.ts')
  .then(({ LATER_PATHS: later }) => (paths.value = { ...paths.value, ...later }))
  .catch(() => {})

/** The names of the icons that are loaded. */
export const iconNames = (): IconName[] => Object.keys(paths.value) as IconName[]

/** An icon, hidden from screen readers: the text next to it or the button's label says the same. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths.value[name]} />
  </svg>
)
