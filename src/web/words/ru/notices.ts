// Printed from locales/ru/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} в ${place}`,
  hidden: 'Новое сообщение',
  file: 'присылает файл',
  call: 'звонит вам',
  reminder: 'Напоминание',
  more: ({ n, text }) =>
    `${count(n, '# новое сообщение', '# новых сообщения', '# новых сообщений', '# нового сообщения')}: ${text}`,
  event: ({ title, time }) => `${title} начнётся ${time}.`,
  promoted: (title) => `Для вас освободилось место: ${title}`,
} satisfies typeof noticeWords
