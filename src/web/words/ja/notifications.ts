// Printed from locales/ja/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: '通知',
    of: (name) => `${name}の通知`,
  },
  inbox: {
    open: '受信箱を表示',
    reminder: '保存したメッセージのリマインダー',
  },
  unread: {
    muted: 'ミュート中',
  },
  date: {
    jump: '日付へ移動',
  },
} satisfies typeof notificationWords
