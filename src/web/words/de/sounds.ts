import type { soundWords } from '../sounds.ts'

export default {
  message: 'Sprachnachricht',
  recording: 'Aufnahme läuft. Enter sendet sie, Escape verwirft sie.',
  discard: 'Aufnahme verwerfen',
  keep: 'Beenden und später senden',
  send: 'Aufnahme senden',
  over: 'Die Aufnahme ist so lang, wie sie sein darf. Sie ist angehängt und noch nicht gesendet.',
  noMicrophone: 'Es gibt kein Mikrofon, oder der Browser lässt diese Seite es nicht verwenden.',
  play: (name) => `${name} abspielen`,
  pause: (name) => `${name} anhalten`,
  position: (name) => `Stelle in ${name}`,
  of: (now, all) => `${now} von ${all}`,
  rate: (rate) => `Tempo: ${rate}`,
} satisfies typeof soundWords
