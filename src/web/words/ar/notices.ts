// Printed from locales/ar/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} في ${place}`,
  hidden: 'رسالة جديدة',
  file: 'أرسل ملفًا',
  call: 'يتصل بك',
  reminder: 'تذكير',
  more: ({ n, text }) =>
    `${count(n, 'لا رسائل جديدة', 'رسالة جديدة واحدة', 'رسالتان جديدتان', '# رسائل جديدة', '# رسالة جديدة', '# رسالة جديدة')}: ${text}`,
  event: ({ title, time }) => `تبدأ ${title} ${time}.`,
  promoted: (title) => `أصبح لك مكان: ${title}`,
} satisfies typeof noticeWords
