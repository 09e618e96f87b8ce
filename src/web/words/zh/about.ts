// Printed from locales/zh/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: '简体中文',
  unreviewed: '机器翻译，尚未经母语者审阅',
  notices,
} satisfies About
