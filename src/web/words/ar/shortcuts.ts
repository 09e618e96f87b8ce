// Printed from locales/ar/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'اختصارات لوحة المفاتيح',
    channelAbove: 'القناة الأعلى',
    channelBelow: 'القناة الأدنى',
    unreadAbove: 'القناة غير المقروءة الأعلى',
    unreadBelow: 'القناة غير المقروءة الأدنى',
  },
  switcher: {
    title: 'البحث عن أي شيء',
  },
} satisfies typeof shortcutWords
