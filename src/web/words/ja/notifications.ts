// Printed from locales/ja/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { digits } from '../plural.ts'

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
    mark: 'ここから未読にする',
    since: (n) => `未読のメンション${digits(n)}件`,
    toFirst: '最初の未読メッセージへ移動',
    muted: 'ミュート中',
  },
  date: {
    jump: '日付へ移動',
  },
  completion: {
    everyone: 'すべてのメンバーに通知',
    here: 'オンラインのメンバー全員に通知',
    mayNot: 'メンションする権限がないため、通常のテキストになります',
    role: 'ロール',
  },
} satisfies typeof notificationWords
