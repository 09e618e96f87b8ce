// Printed from locales/hi/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${place} में ${author}`,
  hidden: 'नया संदेश',
  file: 'ने फ़ाइल भेजी',
  call: 'आपको कॉल कर रहे हैं',
  reminder: 'रिमाइंडर',
  more: ({ n, text }) => `${count(n, '# नया संदेश', '# नए संदेश')}: ${text}`,
  event: ({ title, time }) => `${title} ${time} शुरू होगा।`,
  promoted: (title) => `आपके लिए एक जगह खाली हुई: ${title}`,
} satisfies typeof noticeWords
