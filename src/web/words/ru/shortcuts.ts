// Printed from locales/ru/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: 'Сочетания клавиш',
    channelAbove: 'Канал выше',
    channelBelow: 'Канал ниже',
    unreadAbove: 'Непрочитанный канал выше',
    unreadBelow: 'Непрочитанный канал ниже',
  },
  switcher: {
    title: 'Найти что угодно',
  },
} satisfies typeof shortcutWords
