// Printed from locales/uk/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} у ${place}`,
  hidden: 'Нове повідомлення',
  file: 'надсилає файл',
  call: 'дзвонить вам',
  reminder: 'Нагадування',
  more: ({ n, text }) =>
    `${count(n, '# нове повідомлення', '# нові повідомлення', '# нових повідомлень', '# нового повідомлення')}: ${text}`,
  event: ({ title, time }) => `${title} почнеться ${time}.`,
  promoted: (title) => `Для вас звільнилося місце: ${title}`,
} satisfies typeof noticeWords
