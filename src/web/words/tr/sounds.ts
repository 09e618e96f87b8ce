// Printed from locales/tr/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Sesli mesaj',
  recording: 'Kaydediliyor. Enter gönderir, Escape siler.',
  discard: 'Kaydı sil',
  keep: 'Durdur ve sonra gönder',
  send: 'Kaydı gönder',
  over: 'Kayıt en uzun süresine ulaştı. Eklendi ama henüz gönderilmedi.',
  noMicrophone: 'Mikrofon yok ya da tarayıcın ona erişimi engelliyor.',
  play: (name) => `Oynat: ${name}`,
  pause: (name) => `Duraklat: ${name}`,
  position: (name) => `Konum: ${name}`,
  of: ({ now, all }) => `${now} / ${all}`,
  rate: (rate) => `Hız: ${rate}`,
} satisfies typeof soundWords
