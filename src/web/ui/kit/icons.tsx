import { lucidePaths } from './lucide.macro.ts' with { type: 'macro' }

/** SVG paths of stroked icons in a box of 24 by 24: Lucide's by its names, and our own. */
const PATHS = {
  ...lucidePaths({
    add: 'plus',
    check: 'check',
    chevron: 'chevron-down',
    close: 'x',
    copy: 'copy',
    download: 'download',
    bell: 'bell',
    bellOff: 'bell-off',
    calendar: 'calendar',
    at: 'at-sign',
    unread: 'message-square-dot',
    edit: 'pencil',
    expand: 'maximize',
    file: 'file',
    friends: 'users-round',
    gear: 'settings',
    hash: 'hash',
    hide: 'eye-off',
    invite: 'user-round-plus',
    link: 'link',
    leave: 'log-out',
    members: 'users-round',
    archive: 'archive',
    lock: 'lock',
    menu: 'menu',
    minus: 'minus',
    more: 'ellipsis',
    next: 'chevron-right',
    open: 'external-link',
    pin: 'pin',
    previous: 'chevron-left',
    react: 'face-slightly-smiling-plus',
    reply: 'reply',
    forward: 'forward',
    select: 'square-check',
    send: 'send-horizontal',
    smile: 'face-slightly-smiling',
    thread: 'message-square-text',
    trash: 'trash',
    zoomIn: 'zoom-in',
    zoomOut: 'zoom-out',
    deaf: 'headphone-off',
    undeaf: 'headphones',
    phone: 'phone',
    mic: 'mic',
    micOff: 'mic-off',
    search: 'search',
    screen: 'screen-share',
    voice: 'volume-2',
  }),
  /** Two speech bubbles: the conversations. */
  message: 'M4 6a3 3 0 0 1 3-3h7a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H9l-5 4zM20 9v10l-4-3h-4',
  /** A receiver that is put down. */
  hangUp: 'M3 14.5c5-4.6 13-4.6 18 0l-2.2 2.7-3.8-1.7v-2.6c-2-.6-4-.6-6 0v2.6l-3.8 1.7z',
}

export type IconName = keyof typeof PATHS
export const ICON_NAMES = Object.keys(PATHS) as IconName[]

/** An icon, hidden from screen readers: its meaning stands beside it or in the button's label. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)
