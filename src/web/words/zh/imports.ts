// Printed from locales/zh/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: '认领你的消息',
  text: '从别处导入的消息将归你所有，包括其文件和回应。身份组和权限不会改变。此操作无法撤销。',
  take: '这些是我的',
  taken: '这些消息将在几分钟内归你所有。',
  gone: '该链接已过期、已使用，或属于另一个账号。',
  go: '继续',
} satisfies typeof importWords
