// Printed from locales/zh/shortcuts.json. After a change there: bun run words
import type { shortcutWords } from '../shortcuts.ts'

export default {
  shortcuts: {
    title: '键盘快捷键',
    channelAbove: '上一个频道',
    channelBelow: '下一个频道',
    unreadAbove: '上一个未读频道',
    unreadBelow: '下一个未读频道',
  },
  switcher: {
    title: '查找任何内容',
  },
} satisfies typeof shortcutWords
