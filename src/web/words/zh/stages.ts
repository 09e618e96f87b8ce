// Printed from locales/zh/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'

export default {
  kind: '舞台',
  make: '新建舞台',
  listen: '收听',
  start: '开始舞台',
  startNow: '开始',
  edit: '更改话题',
  end: '结束舞台',
  topic: '话题',
  noSpeakers: '还没有人发言。',
  audience: (n) => `${digits(n)} 位听众`,
  showAudience: '显示听众',
  others: (n) => `还有 ${digits(n)} 位`,
  raise: '举手',
  lower: '放下手',
  place: (n) => `你前面有 ${digits(n)} 人举手`,
  speak: '发言',
  stepDown: '离开发言席',
  invited: '管理员邀请你发言。',
  refuse: '不用了',
  hands: '举手的人',
  noHands: '没有人举手。',
  letUp: (name) => `让 ${name} 发言`,
  invite: (name) => `邀请 ${name} 发言`,
  sendDown: (name) => `将 ${name} 移到听众席`,
  lowerHand: (name) => `放下 ${name} 的手`,
  isInvited: '已邀请',
} satisfies typeof stageWords
