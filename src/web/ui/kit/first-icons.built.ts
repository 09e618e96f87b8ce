import { lucidePaths } from './lucide.ts'

/** SVG paths of stroked icons in a box of 24 by 24, those that the page starts with: Lucide's by its names. */
export const FIRST_PATHS = {
  ...lucidePaths({
    add: 'plus',
    chevron: 'chevron-down',
    close: 'x',
    bell: 'bell',
    calendar: 'calendar',
    at: 'at-sign',
    friends: 'users-round',
    gear: 'settings',
    hash: 'hash',
    members: 'users-round',
    lock: 'lock',
    menu: 'menu',
    more: 'ellipsis',
    pin: 'pin',
    send: 'send-horizontal',
    smile: 'face-slightly-smiling',
    thread: 'message-square-text',
    search: 'search',
    voice: 'volume-2',
  }),
  /** Two speech bubbles: the conversations. */
  message: 'M4 6a3 3 0 0 1 3-3h7a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H9l-5 4zM20 9v10l-4-3h-4',
}
