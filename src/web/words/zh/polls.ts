// Printed from locales/zh/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'

export default {
  poll: '投票',
  question: '问题',
  questionExample: '你哪天方便？',
  answer: (n) => `选项 ${digits(n)}`,
  addAnswer: '添加选项',
  duration: '持续时间',
  span: (seconds) => spanOf(seconds),
  multiple: '允许多选',
  anonymous: '匿名',
  promise: '服务器不会保存人与投票之间的关联。投票不可更改；投票结束且至少有五人投票时才显示结果。',
  send: '发送投票',
  chooseOne: '选择一个选项',
  chooseSeveral: '选择一个或多个选项',
  vote: '提交投票',
  change: '更改投票',
  results: '查看结果',
  back: '返回选项',
  voters: (n) => `${digits(n)} 人已投票`,
  share: ({ n, percent }) => `${`${digits(n)} 票`}，${digits(percent)} %`,
  who: '查看投票者',
  votersOf: (answer) => `投给 ${answer} 的人`,
  yours: '你的投票',
  ends: (time) => `${time} 结束`,
  ended: (time) => `已于 ${time} 结束`,
  end: '结束投票',
  endText: '之后任何人都不能再投票。',
  votedAnonymous: '你已投票。投票结束且至少有五人投票时才显示结果。',
  anonymousText:
    '这是匿名投票：服务器不会保存你与你的投票之间的关联，投票不可更改。投票结束且至少有五人投票时才显示结果。',
  tooFew: '投票人数不足五人，此匿名投票不显示结果。',
} satisfies typeof pollWords
