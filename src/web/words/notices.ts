import { count, inLanguage } from './plural.ts'

/** Words of notices on a device; the worker has them too. */
export const noticeWords = inLanguage('notices', {
  title: (author: string | undefined, place: string | undefined) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author} in ${place}`,
  hidden: 'A new message',
  file: 'sent a file',
  call: 'is calling you',
  reminder: 'Reminder',
  more: (n: number, text: string) => `${count(n, '# new message', '# new messages')}: ${text}`,
})
