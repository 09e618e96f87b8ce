import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: (author, place) => (author === undefined ? 'Parley' : place === undefined ? author : `${author} en ${place}`),
  hidden: 'Un mensaje nuevo',
  file: 'envió un archivo',
  call: 'te está llamando',
  reminder: 'Recordatorio',
  more: (n, text) => {
    const many = count(n, '# mensaje nuevo', '# de mensajes nuevos', '# mensajes nuevos')
    return `${many}: ${text}`
  },
} satisfies typeof noticeWords
