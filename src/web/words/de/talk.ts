// Printed from locales/de/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Anrufen stumm beitreten',
  mode: 'Eingabemodus',
  modes: {
    open: 'Immer an',
    voice: 'Sprachaktivierung',
    push: 'Push-to-Talk',
  },
  key: 'Push-to-Talk-Taste',
  keyText: 'Sie wirkt, solange diese Seite im Fokus ist. Buchstabentasten wirken nicht, während du tippst.',
  press: 'Drücke eine Taste …',
  threshold: 'Eingabeempfindlichkeit',
  level: 'Eingangspegel',
  listen: 'Mikrofon testen',
  noise: 'Rauschunterdrückung',
  noises: {
    off: 'Aus',
    browser: 'Browser',
    rnnoise: 'RNNoise (stärker, höhere CPU-Last)',
  },
  echo: 'Echounterdrückung',
  gain: 'Automatische Verstärkungsregelung',
  music: 'Musikmodus',
  musicText: 'Stereo mit 128 kbit/s, ohne Klangbearbeitung. Nimm Kopfhörer, sonst hören andere ein Echo.',
  keys: 'Tasten während eines Anrufs',
  noKey: 'Keine',
  keysText: 'Drücke eine Taste, mit oder ohne Strg, Alt oder Umschalt. Die Rücktaste entfernt sie.',
} satisfies typeof talkWords
