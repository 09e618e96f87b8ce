// Printed from locales/pl/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Wiadomość głosowa',
  recording: 'Trwa nagrywanie. Enter wysyła, Escape odrzuca.',
  discard: 'Odrzuć nagranie',
  keep: 'Zatrzymaj i wyślij później',
  send: 'Wyślij nagranie',
  over: 'Nagranie osiągnęło maksymalną długość. Jest załączone, ale jeszcze nie wysłane.',
  noMicrophone: 'Nie ma mikrofonu albo przeglądarka blokuje dostęp do niego.',
  play: (name) => `Odtwórz: ${name}`,
  pause: (name) => `Wstrzymaj: ${name}`,
  position: (name) => `Pozycja w: ${name}`,
  of: ({ now, all }) => `${now} z ${all}`,
  rate: (rate) => `Prędkość: ${rate}`,
} satisfies typeof soundWords
