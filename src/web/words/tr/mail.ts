import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Unutulan parola',
    text: 'Hesabının e-posta adresini yaz. Yeni parola seçeceğin bir bağlantı gelir.',
    send: 'Bağlantıyı gönder',
    sent: 'Bu adreste bir hesap varsa bağlantı yolda. Bir saat geçerlidir.',
  },
  reset: {
    title: 'Yeni parola seç',
    text: 'Hesabın tüm oturumları sona erer. Sonra yeni parolayla giriş yap.',
    save: 'Parolayı belirle',
    done: 'Parolan değişti ve tüm oturumlar sona erdi.',
  },
  verify: {
    title: 'E-posta adresini onayla',
    text:
      'Burada hesap açmadıysan bu sayfayı kapat. İlk onayla, daha önce eklenen ikinci adımlar, geçiş ' +
      'anahtarları, bağlı kimlikler ve botlar kaldırılır.',
    confirm: 'Bu adresi onayla',
    done: 'Adres onaylandı.',
    taken: 'Bu adres başka bir hesapta.',
    go: 'Devam',
  },
  confirmFirst: {
    title: 'E-posta adresini onayla',
    text: (email) => `${email} adresine bir bağlantı yolda. Devam etmek için aç.`,
    done: 'Onayladım',
    notYet: 'Adres henüz onaylanmadı.',
  },
  own: {
    title: 'E-posta',
    current: 'Adresin',
    confirmed: 'onaylı',
    unconfirmed: 'onaysız',
    resend: 'Onayı yeniden gönder',
    resent: 'Adresine bir bağlantı yolda.',
    next: 'Yeni e-posta adresi',
    hint: 'Ona bir bağlantı gelir; kullandığında eskisinin yerine geçer.',
    change: 'Adresi değiştir',
    changing: 'Yeni adrese bir bağlantı yolda.',
  },
  linkGone: 'Bu bağlantının süresi doldu veya kullanıldı. Yenisini iste.',
  backToLogin: 'Girişe dön',
} satisfies typeof mailWords
