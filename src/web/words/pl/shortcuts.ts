// Printed from locales/pl/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Skróty klawiszowe',
    channelAbove: 'Kanał wyżej',
    channelBelow: 'Kanał niżej',
    unreadAbove: 'Nieprzeczytany kanał wyżej',
    unreadBelow: 'Nieprzeczytany kanał niżej',
  },
  switcher: {
    title: 'Znajdź cokolwiek',
  },
} satisfies typeof shortcutWords
