import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: (author, place) => (author === undefined ? 'Parley' : place === undefined ? author : `${author}（${place}）`),
  hidden: '新着メッセージ',
  file: 'ファイルを送信しました',
  call: 'から着信中です',
  reminder: 'リマインダー',
  more: (n, text) => `${count(n, '新着メッセージ#件')}：${text}`,
} satisfies typeof noticeWords
