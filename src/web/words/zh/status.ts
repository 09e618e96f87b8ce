// Printed from locales/zh/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: '你的状态',
  choice: '他人看到',
  about: {
    online: '十分钟无操作后显示为离开',
    idle: '始终显示为离开',
    dnd: '你的设备上没有通知，也没有声音',
    invisible: '离线。没有人会知道你正在输入，@here 也不会通知你。',
  },
  text: '你在做什么？',
  emoji: '选择表情',
  noEmoji: (emoji) => `移除 ${emoji}`,
  ends: '结束时间',
  never: '从不',
  callers: '仍会响铃的好友来电，最多 50 人',
  seen: {
    title: '他人会看到你',
    text: '你处于隐身状态，但能看到此通话的人都会看到你在其中。',
    action: '加入通话',
  },
} satisfies typeof statusWords
