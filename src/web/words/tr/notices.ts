// Printed from locales/tr/notices.json. After a change there: bun run words
import type { noticeWords } from '../notices.ts'
import { digits } from '../plural.ts'

export default {
  title: ({ author, place }) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author}, ${place} içinde`,
  hidden: 'Yeni bir mesaj',
  file: 'bir dosya gönderdi',
  call: 'seni arıyor',
  reminder: 'Hatırlatıcı',
  more: ({ n, text }) => `${`${digits(n)} yeni mesaj`}: ${text}`,
  event: ({ title, time }) => `${title} ${time} başlıyor.`,
  promoted: (title) => `Senin için bir yer açıldı: ${title}`,
} satisfies typeof noticeWords
