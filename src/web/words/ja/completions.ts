// Printed from locales/ja/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'すべてのメンバーに通知',
  here: 'オンラインのメンバー全員に通知',
  mayNot: 'メンションする権限がないため、通常のテキストになります',
  role: 'ロール',
  people: 'メンションできる人',
  emoji: '絵文字の候補',
} satisfies typeof completionWords
