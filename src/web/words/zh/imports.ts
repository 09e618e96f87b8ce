import type { importWords } from '../imports.ts'

export default {
  title: '认领你的消息',
  text: '从别处迁入的消息将归你所有，包括其文件和回应。身份组和权限保持不变。此操作无法撤销。',
  take: '这些是我的',
  taken: '几分钟内它们将归你所有。',
  gone: '该链接已过期、已使用，或属于另一个账号。',
  go: '继续',
} satisfies typeof importWords
