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
} satisfies typeof laterWords
