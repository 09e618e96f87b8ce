import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Paylaş',
    text: 'Mesaj',
    send: 'Paylaş',
    leftOut: (n) =>
      count(
        n,
        '# dosya daha var: bir kerede bu kadarı paylaşılamaz.',
        '# dosya daha var: bir kerede bu kadarı paylaşılamaz.',
      ),
  },
  notices: {
    tab: 'Bildirimler',
    here: 'Bu cihazda',
    push: 'Parley kapalıyken bildirimler',
    pushText:
      'Bu tarayıcının üreticisinin anlık bildirim hizmetinden, yalnızca bu cihazın okuyabileceği biçimde ' +
      'şifrelenmiş olarak gelir.',
    none:
      'Bu tarayıcıda burada anlık bildirim yok. HTTPS gerekir; iPhone veya iPad’de ise Parley’nin ana ' +
      'ekranda olması.',
    denied: 'Tarayıcı bu sayfanın bildirimlerini engelliyor. Bu site için ayarlarından izin ver.',
    off: 'Bu sunucu anlık bildirim göndermez.',
    needHttps: 'Masaüstü bildirimleri için HTTPS gerekir.',
    desktop: 'Parley açıkken masaüstü bildirimleri',
    sound: 'Görmediğin mesajlar için bir ses',
    everywhere: 'Tüm cihazlarında',
    hide: 'Adları ve metni gizle',
    hideText: 'Bildirimler o zaman yalnızca yeni bir şey olduğunu söyler.',
    quiet: 'Rahatsız etme',
    quietText: (zone) => `Her gün bu saatler arasında (${zone}). Bu sürede aramalar anlık bildirimle çalmaz.`,
    from: 'Başlangıç',
    until: 'Bitiş',
  },
} satisfies typeof deviceWords
