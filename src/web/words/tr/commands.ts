import type { commandWords } from '../commands.ts'

export default {
  title: 'Komutlar',
  find: 'Komut bul',
  nothing: 'Bu adda bir komut yok.',
  none: 'Hiçbir bot bunun için bir şey sunmuyor.',
  by: (bot) => `${bot} botundan`,
  use: (name) => `/${name} kullan`,
  choose: 'Seç…',
  yes: 'Evet',
  no: 'Hayır',
  send: 'Gönder',
  uploading: 'Dosya hâlâ yükleniyor.',
  waiting: (bot) => `${bot} düşünüyor…`,
  silent: (bot) => `${bot} cevap vermedi.`,
  onlyYou: 'Bunu yalnızca sen görebilirsin',
  dismiss: 'Kapat',
  answers: 'Botların sana cevapları',
  answering: (name, command) => `${name}, /${command} kullandı`,
  answeringComponent: (name) => `${name} bunu istedi`,
} satisfies typeof commandWords
