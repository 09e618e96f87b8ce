// Printed from locales/zh/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: '集成',
  title: 'Webhook',
  hint: 'Webhook 是一个 URL，其他程序（Grafana、GitHub 或你自己的脚本）可通过它在频道中发布消息。',
  name: 'Webhook 名称',
  channel: '频道',
  make: '新 Webhook',
  none: '还没有 Webhook',
  noneText: '创建一个，并把它的 URL 粘贴到另一个程序中。',
  madeBy: (name) => `由 ${name} 创建`,
  url: 'Webhook 的 URL',
  shownOnce: '此 URL 只显示一次。拥有它的人都可以在频道中发布消息：请像密码一样保管。',
  suffixes: 'Slack 格式请在末尾加 /slack，GitHub 格式加 /github。',
  edit: (name) => `编辑 ${name}`,
  close: '关闭',
  rotate: '重置 URL',
  rotateText: '旧 URL 会立即失效。使用它的程序需要新的 URL。',
  delete: (name) => `删除 ${name}`,
  deleteText: '使用其 URL 的程序将无法再发布消息。它的消息会保留。',
  mentions: '可提及所有人和所有身份组',
  problems: {
    too_many_webhooks: '此频道已有 15 个 Webhook。',
  },
} satisfies typeof webhookWords
