// Printed from locales/zh/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { digits } from '../plural.ts'

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
    mark: '从这里标为未读',
    since: (n) => `${digits(n)} 条未读提及`,
    toFirst: '跳到第一条未读消息',
    muted: '已静音',
  },
  date: {
    jump: '跳到某个日期',
  },
  completion: {
    everyone: '通知所有成员',
    here: '通知所有在线成员',
    mayNot: '你没有提及此项的权限，它将保持为普通文字',
    role: '身份组',
  },
} satisfies typeof notificationWords
