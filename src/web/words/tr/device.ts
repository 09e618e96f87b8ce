// Printed from locales/tr/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { digits } from '../plural.ts'

export default {
  share: {
    title: 'Paylaş',
    text: 'Mesaj',
    send: 'Paylaş',
    leftOut: (n) => `${digits(n)} dosya dışarıda kaldı: bir kerede paylaşmak için çok fazla.`,
  },
  notices: {
    tab: 'Bildirimler',
    here: 'Bu cihazda',
    push: 'Parley kapalıyken bildirimler',
    pushText:
      'Tarayıcının anlık bildirim hizmeti üzerinden, yalnızca bu cihazın okuyabileceği biçimde şifrelenerek gönderilir.',
    none: 'Bu tarayıcı burada anlık bildirim alamaz. HTTPS gerekir. iPhone veya iPad’de önce Parley’yi ana ekrana ekle.',
    denied: 'Tarayıcın bu sitenin bildirimlerini engelliyor. Tarayıcının site ayarlarından izin ver.',
    off: 'Bu sunucu anlık bildirim göndermiyor.',
    needHttps: 'Masaüstü bildirimleri için HTTPS gerekir.',
    desktop: 'Parley açıkken masaüstü bildirimleri',
    sound: 'Ekranda olmayan mesajlar için ses çal',
    everywhere: 'Tüm cihazlarında',
    hide: 'Adları ve metni gizle',
    hideText: 'Bildirimler yalnızca yeni bir şey olduğunu söyler.',
    quiet: 'Rahatsız etme',
    quietText: (zone) => `Her gün bu saatler arasında (${zone}). Aramaların anlık bildirimleri de duraklatılır.`,
    from: 'Başlangıç',
    until: 'Bitiş',
  },
} satisfies typeof deviceWords
