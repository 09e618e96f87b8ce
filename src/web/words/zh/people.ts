// Printed from locales/zh/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: '在线',
    idle: '离开',
    dnd: '请勿打扰',
    invisible: '隐身',
    offline: '离线',
  },
  friends: {
    title: '好友',
  },
  profile: {
    open: '个人资料',
  },
  deletedUser: '已删除的用户',
} satisfies typeof peopleWords
