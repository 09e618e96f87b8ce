// Printed from locales/de/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} in ${place}`,
  hidden: 'Eine neue Nachricht',
  file: 'hat eine Datei gesendet',
  call: 'ruft dich an',
  reminder: 'Erinnerung',
  more: ({ n, text }) => `${count(n, '# neue Nachricht', '# neue Nachrichten')}: ${text}`,
  event: ({ title, time }) => `${title} beginnt ${time}.`,
  promoted: (title) => `Für dich ist ein Platz frei geworden: ${title}`,
} satisfies typeof noticeWords
