// Printed from locales/zh/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: '此通话的成员',
    start: '发起通话',
    underway: '通话进行中',
    muted: '已静音',
    deafened: '已拒听',
    sharing: '正在共享屏幕',
  },
} satisfies typeof voiceWords
