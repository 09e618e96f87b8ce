// Printed from locales/tr/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Klavye kısayolları',
    channelAbove: 'Üstteki kanal',
    channelBelow: 'Alttaki kanal',
    unreadAbove: 'Üstteki okunmamış kanal',
    unreadBelow: 'Alttaki okunmamış kanal',
  },
  switcher: {
    title: 'Her şeyi ara',
  },
} satisfies typeof shortcutWords
