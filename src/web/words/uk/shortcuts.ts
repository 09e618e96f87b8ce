// Printed from locales/uk/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Сполучення клавіш',
    channelAbove: 'Канал вище',
    channelBelow: 'Канал нижче',
    unreadAbove: 'Непрочитаний канал вище',
    unreadBelow: 'Непрочитаний канал нижче',
  },
  switcher: {
    title: 'Знайти будь-що',
  },
} satisfies typeof shortcutWords
