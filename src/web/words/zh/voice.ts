// Printed from locales/zh/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: '此通话的成员',
    start: '发起通话',
    underway: '通话进行中',
    declined: (name) => `${name} 拒绝了通话。`,
    muted: '已静音',
    deafened: '已拒听',
    sharing: '正在共享屏幕',
    noMicrophone: '没有麦克风：你可以听，但别人听不到你。',
    noCalls: '此浏览器不支持通话（WebRTC）。请换一个浏览器或设备。',
    ended: {
      taken_over: '通话已转到另一台设备。',
      access: '你已无权访问此通话。',
      disconnected: '管理人员已将你从通话中断开。',
      media_unavailable: '服务器目前无法转发此通话。',
    },
    endedOtherwise: '通话已结束。',
  },
} satisfies typeof voiceWords
