// Printed from locales/es/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} en ${place}`,
  hidden: 'Un mensaje nuevo',
  file: 'envió un archivo',
  call: 'te está llamando',
  reminder: 'Recordatorio',
  more: ({ n, text }) => `${count(n, '# mensaje nuevo', '# de mensajes nuevos', '# mensajes nuevos')}: ${text}`,
  event: ({ title, time }) => `${title} empieza ${time}.`,
  promoted: (title) => `Hay una plaza libre para ti: ${title}`,
} satisfies typeof noticeWords
