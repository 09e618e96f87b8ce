// Printed from locales/zh/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: '常规',
    messages: '消息',
    threads: '子区',
    voice: '语音',
    people: '成员',
    server: '服务器管理',
    administrator: '全部',
  },
  allowed: ({ n, all }) => `允许 ${n}/${all} 项`,
  set: (n) => (n === 0 ? '继承' : `此处设置了 ${n} 项`),
  inServer: (isAllowed) => (isAllowed ? '继承自服务器：允许' : '继承自服务器：不允许'),
  private: '私密频道',
  privateOn: '只有所有者、管理员和下列身份组能看到。',
  privateOff: '所有成员都能看到。',
  privateHint: '在设置中选择身份组之前，只有所有者和管理员能看到。',
  whoSees: '谁能看到',
  noRoles: '没有低于你的身份组可供选择。',
  choices: {
    deny: '拒绝',
    inherit: '继承',
    allow: '允许',
  },
  moderatorsOnly: '仅管理员可发言',
  moderatorsOnlyText: '所有人可阅读；管理消息的身份组可发言。',
} satisfies typeof permissionWords
