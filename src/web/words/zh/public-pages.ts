// Printed from locales/zh/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: '公开页面',
  server: '此服务器的频道可以公开',
  serverText: '在频道和论坛各自的设置中选择。不选择则没有任何内容公开。',
  indexed: '搜索引擎可以收录',
  channel: '任何人无需账号即可阅读此频道',
  channelText: '受限成员和最近 24 小时内加入的成员的消息不会显示。',
  serverOff: '请先在服务器设置中允许公开页面。',
  older: '也包括之前写的内容',
  olderText: ({ people, messages }) => `在此发过言的人：${people}。他们的消息：${messages}。`,
  open: '打开公开页面',
  here: '任何人无需账号即可阅读这里写的内容。',
  name: '公开页面显示我的名字',
  nameText: '否则页面称你为“A member”。',
} satisfies typeof publicWords
