// Printed from locales/zh/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: '其他时间',
  saved: {
    title: '已保存',
    none: '还没有保存任何内容',
    noneText: '在消息菜单中选择“保存消息”。只有你能看到自己保存的内容。',
    note: '备注',
    noteText: '只有你能看到。',
    remind: '提醒我',
    set: '设置提醒',
    until: (time) => `提醒：${time}`,
    since: (time) => `提醒，自 ${time} 起待处理`,
    clear: '移除提醒',
    done: '完成',
    edit: '备注和提醒…',
    remove: '取消保存',
  },
  scheduled: {
    title: '定时消息',
    none: '没有定时消息',
    noneText: '写好消息，选择“稍后发送”而不是直接发送。',
    schedule: '定时发送',
    at: (time) => `将于 ${time} 发送`,
    edit: '编辑…',
    held: '你的定时消息已被暂停，因为你的会话已被结束，或备份已被恢复。请检查后再确认。',
    isHeld: '暂停中，等待你确认',
    confirm: '全部确认',
    overdue: '未发送：预定时间已过。',
  },
} satisfies typeof laterWords
