// Printed from locales/tr/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Aramalara mikrofon kapalı katıl',
  mode: 'Giriş modu',
  modes: {
    open: 'Her zaman açık',
    voice: 'Ses eylemi',
    push: 'Bas konuş',
  },
  key: 'Bas konuş tuşu',
  keyText: 'Bu sayfa odaktayken çalışır. Yazarken harf tuşları çalışmaz.',
  press: 'Bir tuşa bas…',
  threshold: 'Giriş hassasiyeti',
  level: 'Giriş düzeyi',
  listen: 'Mikrofonu test et',
  noise: 'Gürültü engelleme',
  noises: {
    off: 'Kapalı',
    browser: 'Tarayıcı',
    rnnoise: 'RNNoise (daha güçlü, işlemciyi daha çok kullanır)',
  },
  echo: 'Yankı giderme',
  gain: 'Otomatik kazanç kontrolü',
  music: 'Müzik modu',
  musicText: '128 kbit/s stereo, ses işleme olmadan. Kulaklık kullan, yoksa diğerleri yankı duyar.',
  keys: 'Aramadaki tuşlar',
  noKey: 'Yok',
  keysText: 'Bir tuşa tek başına ya da Ctrl, Alt veya Shift ile bas. Backspace onu kaldırır.',
} satisfies typeof talkWords
