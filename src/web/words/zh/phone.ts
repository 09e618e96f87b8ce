// Printed from locales/zh/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: '栏目',
  home: '主页',
  servers: '服务器',
  inbox: '收件箱',
  you: '你',
  noServers: '还没有服务器',
  noServersText: '创建一个，或通过邀请链接加入。',
  toCall: (name) => `返回 ${name} 的通话`,
  shrinkCall: '缩小通话',
} satisfies typeof phoneWords
