// Printed from locales/ja/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { digits } from '../plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author}（${place}）`,
  hidden: '新着メッセージ',
  file: 'ファイルを送信しました',
  call: 'から着信中です',
  reminder: 'リマインダー',
  more: ({ n, text }) => `${`新着メッセージ${digits(n)}件`}：${text}`,
  event: ({ title, time }) => `「${title}」は${time}に始まります。`,
  promoted: (title) => `空きが出て参加できるようになりました：${title}`,
} satisfies typeof noticeWords
