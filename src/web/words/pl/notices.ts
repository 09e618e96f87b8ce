// Printed from locales/pl/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} w ${place}`,
  hidden: 'Nowa wiadomość',
  file: 'wysyła plik',
  call: 'dzwoni do ciebie',
  reminder: 'Przypomnienie',
  more: ({ n, text }) =>
    `${count(n, '# nowa wiadomość', '# nowe wiadomości', '# nowych wiadomości', '# nowej wiadomości')}: ${text}`,
  event: ({ title, time }) => `${title} zaczyna się ${time}.`,
  promoted: (title) => `Zwolniło się dla ciebie miejsce: ${title}`,
} satisfies typeof noticeWords
