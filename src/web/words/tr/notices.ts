import type { noticeWords } from '../notices.ts'
import { count } from './plural.ts'

export default {
  title: (author, place) =>
    author === undefined ? 'Parley' : place === undefined ? author : `${author}, ${place} içinde`,
  hidden: 'Yeni bir mesaj',
  file: 'bir dosya gönderdi',
  call: 'seni arıyor',
  reminder: 'Hatırlatıcı',
  more: (n, text) => `${count(n, '# yeni mesaj', '# yeni mesaj')}: ${text}`,
} satisfies typeof noticeWords
