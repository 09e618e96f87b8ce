import type { talkWords } from '../talk.ts'

export default {
  muted: 'Aramalara mikrofon kapalı katıl',
  mode: 'Başkaları seni duyar',
  modes: {
    open: 'Her zaman',
    voice: 'Sen konuşurken',
    push: 'Bir tuşu veya düğmeyi basılı tutarken',
  },
  key: 'Basılı tutulacak tuş',
  keyText: 'Bu sayfa etkinken çalışır; yazarken harfler çalışmaz.',
  press: 'Bir tuşa bas…',
  threshold: 'Duyulacak kadar yüksek',
  level: 'Şu anki ses düzeyin',
  listen: 'Ses düzeyimi göster',
  noise: 'Gürültü engelleme',
  noises: { off: 'Kapalı', browser: 'Tarayıcınınki', rnnoise: 'RNNoise: daha güçlü, işlemciyi daha çok kullanır' },
  echo: 'Yankı giderme',
  gain: 'Mikrofonun ses düzeyini ayarla',
  music: 'Müzik modu',
  musicText: '128 kbit/s stereo; sesten hiçbir şey çıkarılmaz. Kulaklık kullan: yoksa diğerleri yankı duyar.',
  keys: 'Görüşme sırasındaki tuşlar',
  noKey: 'Yok',
  keysText: 'Bir tuşa tek başına ya da Ctrl, Alt veya Shift ile bas. Geri tuşu kaldırır.',
} satisfies typeof talkWords
