// Printed from locales/pt/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} em ${place}`,
  hidden: 'Uma nova mensagem',
  file: 'enviou um arquivo',
  call: 'está ligando para você',
  reminder: 'Lembrete',
  more: ({ n, text }) => `${count(n, '# nova mensagem', '# de novas mensagens', '# novas mensagens')}: ${text}`,
  event: ({ title, time }) => `${title} começa ${time}.`,
  promoted: (title) => `Uma vaga ficou livre para você: ${title}`,
} satisfies typeof noticeWords
