// Printed from locales/en/shortcuts.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words for keyboard shortcuts and the quick switcher. */
export const shortcutWords = {
  shortcuts: {
    title: 'Keyboard shortcuts',
    channelAbove: 'Channel above',
    channelBelow: 'Channel below',
    unreadAbove: 'Unread channel above',
    unreadBelow: 'Unread channel below',
  },
  switcher: {
    title: 'Find anything',
  },
} satisfies Words
