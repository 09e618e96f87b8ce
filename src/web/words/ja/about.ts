// Printed from locales/ja/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: '日本語',
  unreviewed: '機械翻訳です。日本語話者による確認はまだ行われていません',
  notices,
} satisfies About
