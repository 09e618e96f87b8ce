import { signal } from '@preact/signals'
import { lucidePaths } from './lucide.macro.ts' with { type: 'macro' }
import type { LATER_PATHS } from './later-icons.ts'

/** SVG paths of stroked icons in a box of 24 by 24, those that the page starts with: Lucide's by its names. */
const PATHS = {
  ...lucidePaths({
    add: 'plus',
    chevron: 'chevron-down',
    close: 'x',
    download: 'download',
    bell: 'bell',
    bellOff: 'bell-off',
    calendar: 'calendar',
    at: 'at-sign',
    unread: 'message-square-dot',
    edit: 'pencil',
    file: 'file',
    friends: 'users-round',
    gear: 'settings',
    hash: 'hash',
    hide: 'eye-off',
    invite: 'user-round-plus',
    leave: 'log-out',
    members: 'users-round',
    lock: 'lock',
    menu: 'menu',
    more: 'ellipsis',
    open: 'external-link',
    pin: 'pin',
    react: 'face-slightly-smiling-plus',
    reply: 'reply',
    forward: 'forward',
    send: 'send-horizontal',
    smile: 'face-slightly-smiling',
    thread: 'message-square-text',
    deaf: 'headphone-off',
    phone: 'phone',
    mic: 'mic',
    micOff: 'mic-off',
    search: 'search',
    screen: 'screen-share',
    voice: 'volume-2',
  }),
  /** Two speech bubbles: the conversations. */
  message: 'M4 6a3 3 0 0 1 3-3h7a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H9l-5 4zM20 9v10l-4-3h-4',
}

export type IconName = keyof typeof PATHS | keyof typeof LATER_PATHS

/** Every path, once the icons of menus, dialogs and calls are loaded. */
const paths = signal<Partial<Record<IconName, string>>>(PATHS)
void import('./later-icons.ts')
  .then(({ LATER_PATHS: later }) => (paths.value = { ...paths.value, ...later }))
  .catch(() => {})

/** The names of the icons that are loaded. */
export const iconNames = (): IconName[] => Object.keys(paths.value) as IconName[]

/** An icon, hidden from screen readers: its meaning stands beside it or in the button's label. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths.value[name]} />
  </svg>
)
