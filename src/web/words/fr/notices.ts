// Printed from locales/fr/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} dans ${place}`,
  hidden: 'Un nouveau message',
  file: 'a envoyé un fichier',
  call: 't’appelle',
  reminder: 'Rappel',
  more: ({ n, text }) => `${count(n, '# nouveau message', '# de nouveaux messages', '# nouveaux messages')} : ${text}`,
  event: ({ title, time }) => `${title} commence ${time}.`,
  promoted: (title) => `Une place s’est libérée pour vous : ${title}`,
} satisfies typeof noticeWords
