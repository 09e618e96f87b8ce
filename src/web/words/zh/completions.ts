// Printed from locales/zh/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: '通知所有成员',
  here: '通知所有在线成员',
  mayNot: '你没有提及此项的权限，它将保持为普通文字',
  role: '身份组',
  people: '可提及的人',
  emoji: '表情建议',
} satisfies typeof completionWords
