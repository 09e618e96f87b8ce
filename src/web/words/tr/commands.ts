// Printed from locales/tr/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Komutlar',
  find: 'Komut bul',
  nothing: 'Eşleşen komut yok.',
  none: 'Hiçbir botun bunun için bir komutu yok.',
  by: (bot) => `${bot} botundan`,
  use: (name) => `/${name} kullan`,
  choose: 'Seç…',
  chooseBetween: ({ min, max }) => `${min} ile ${max} arasında seç.`,
  yes: 'Evet',
  no: 'Hayır',
  send: 'Gönder',
  uploading: 'Dosya hâlâ yükleniyor.',
  waiting: (bot) => `${bot} düşünüyor…`,
  silent: (bot) => `${bot} yanıt vermedi.`,
  onlyYou: 'Bunu yalnızca sen görebilirsin',
  dismiss: 'Kapat',
  answers: 'Yalnızca senin görebildiğin bot yanıtları',
  answering: ({ name, command }) => `${name}, /${command} kullandı`,
  answeringComponent: (name) => `${name} bunu istedi`,
  texts: {
    me: 'Ne yaptığını italik yazar',
    shrug: '¯\\_(ツ)_/¯ ekler',
    spoiler: 'Metni biri tıklayana kadar gizler',
    tableflip: '(╯°□°)╯︵ ┻━┻ ekler',
  },
} satisfies typeof commandWords
