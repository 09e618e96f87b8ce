// Printed from locales/zh/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? '子区，有新消息' : '子区'),
    open: '打开子区',
    archived: '已归档',
    panel: (name) => `子区 ${name}`,
    messages: (n) => (n === 0 ? '还没有消息' : `${digits(n)} 条消息`),
    lockedHint: '此子区已锁定。',
  },
} satisfies typeof threadWords
