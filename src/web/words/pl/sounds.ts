import type { soundWords } from '../sounds.ts'

export default {
  message: 'Wiadomość głosowa',
  recording: 'Trwa nagrywanie. Enter wysyła, Escape odrzuca.',
  discard: 'Odrzuć nagranie',
  keep: 'Zatrzymaj i wyślij później',
  send: 'Wyślij nagranie',
  over: 'Nagranie osiągnęło największą długość. Jest załączone i jeszcze nie wysłane.',
  noMicrophone: 'Nie ma mikrofonu albo przeglądarka nie pozwala tej stronie go używać.',
  play: (name) => `Odtwórz: ${name}`,
  pause: (name) => `Wstrzymaj: ${name}`,
  position: (name) => `Miejsce w: ${name}`,
  of: (now, all) => `${now} z ${all}`,
  rate: (rate) => `Prędkość: ${rate}`,
} satisfies typeof soundWords
