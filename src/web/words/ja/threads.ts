// Printed from locales/ja/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'スレッド（新しいメッセージあり）' : 'スレッド'),
    open: 'スレッドを開く',
    archived: 'アーカイブ済み',
    panel: (name) => `スレッド${name}`,
    messages: (n) => (n === 0 ? 'まだメッセージなし' : `${digits(n)}件のメッセージ`),
    lockedHint: 'このスレッドはロックされています。',
  },
} satisfies typeof threadWords
