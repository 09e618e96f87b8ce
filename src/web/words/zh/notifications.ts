// Printed from locales/zh/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: '通知',
    of: (name) => `${name} 的通知`,
  },
  inbox: {
    open: '显示收件箱',
    reminder: '已保存消息的提醒',
  },
  unread: {
    muted: '已静音',
  },
  date: {
    jump: '跳到某个日期',
  },
} satisfies typeof notificationWords
