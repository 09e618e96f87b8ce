import type { talkWords } from '../talk.ts'

export default {
  muted: 'Anrufen stumm beitreten',
  mode: 'Andere hören dich',
  modes: {
    open: 'Immer',
    voice: 'Während du sprichst',
    push: 'Während du eine Taste oder einen Knopf hältst',
  },
  key: 'Zu haltende Taste',
  keyText: 'Sie wirkt, während diese Seite den Fokus hat; Buchstaben nicht, während du schreibst.',
  press: 'Drücke eine Taste …',
  threshold: 'Laut genug, um gehört zu werden',
  level: 'Wie laut du gerade bist',
  listen: 'Zeigen, wie laut ich bin',
  noise: 'Rauschunterdrückung',
  noises: { off: 'Aus', browser: 'Die des Browsers', rnnoise: 'RNNoise: stärker, braucht mehr Rechenleistung' },
  echo: 'Echo unterdrücken',
  gain: 'Lautstärke des Mikrofons anpassen',
  music: 'Musikmodus',
  musicText:
    'Stereo mit 128 kbit/s, und nichts wird aus dem Ton entfernt. Nimm Kopfhörer: Sonst hören andere ein Echo.',
  keys: 'Tasten während eines Anrufs',
  noKey: 'Keine',
  keysText: 'Drücke eine Taste allein oder mit Strg, Alt oder Umschalt. Die Rücktaste entfernt sie.',
} satisfies typeof talkWords
