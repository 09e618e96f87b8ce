// Printed from locales/de/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Tastenkürzel',
    channelAbove: 'Kanal darüber',
    channelBelow: 'Kanal darunter',
    unreadAbove: 'Ungelesener Kanal darüber',
    unreadBelow: 'Ungelesener Kanal darunter',
  },
  switcher: {
    title: 'Alles finden',
  },
} satisfies typeof shortcutWords
