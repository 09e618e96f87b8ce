import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: (author, place) => (author === undefined ? 'Parley' : place === undefined ? author : `${author} в ${place}`),
  hidden: 'Новое сообщение',
  file: 'присылает файл',
  call: 'звонит вам',
  reminder: 'Напоминание',
  more: (n, text) => {
    const many = count(n, '# новое сообщение', '# новых сообщения', '# новых сообщений', '# нового сообщения')
    return `${many}: ${text}`
  },
} satisfies typeof noticeWords
