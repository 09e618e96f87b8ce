// Printed from locales/en/notices.json. After a change there: bun run words
import { count, inLanguage } from './plural.ts'

/** Words of notices on a device; the worker has them too. */
export const noticeWords = inLanguage('notices', {
  title: ({ author, place }: { author: string | undefined; place: string | undefined }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} in ${place}`,
  hidden: 'A new message',
  file: 'sent a file',
  call: 'is calling you',
  reminder: 'Reminder',
  more: ({ n, text }: { n: number; text: string }) => `${count(n, '# new message', '# new messages')}: ${text}`,
  event: ({ title, time }: { title: string; time: string }) => `${title} starts ${time}.`,
  promoted: (title: string) => `You now have a place: ${title}`,
})
