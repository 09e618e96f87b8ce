import type { arrivalWords } from '../arrival.ts'

export default {
  tab: '新成员',
  rules: '规则',
  rulesHint: '之后加入的人必须先接受这些规则才能发言。修改规则会向成员显示横幅，但不会限制任何人。',
  rulesField: '规则（Markdown，最多 16 行）',
  saveRules: '保存规则',
  waiting: '就差一步：接受规则即可参与。',
  changed: '此服务器的规则已更改。',
  read: '阅读规则',
  rulesOf: (server) => `${server} 的规则`,
  accept: '接受规则',
  goIn: '进入',
  noRules: '此服务器没有规则。你可以进入。',
  readAgain: '规则刚刚更改。请重新阅读。',
  welcome: '欢迎！',
  wave: '挥手',
} satisfies typeof arrivalWords
