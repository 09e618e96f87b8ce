// Printed from locales/de/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Sprachnachricht',
  recording: 'Aufnahme läuft. Enter sendet sie, Escape verwirft sie.',
  discard: 'Aufnahme verwerfen',
  keep: 'Beenden und später senden',
  send: 'Aufnahme senden',
  over: 'Die Aufnahme hat ihre maximale Länge erreicht. Sie ist angehängt, aber noch nicht gesendet.',
  noMicrophone: 'Es gibt kein Mikrofon, oder dein Browser blockiert den Zugriff darauf.',
  play: (name) => `${name} abspielen`,
  pause: (name) => `${name} anhalten`,
  position: (name) => `Stelle in ${name}`,
  of: ({ now, all }) => `${now} von ${all}`,
  rate: (rate) => `Tempo: ${rate}`,
} satisfies typeof soundWords
