// Printed from locales/tr/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Parolanı sıfırla',
    text: 'Hesabının e-posta adresini gir. Yeni parola seçmen için bir bağlantı gelir.',
    send: 'Bağlantıyı gönder',
    sent: 'Bu adreste bir hesap varsa bağlantı yolda. Bir saat geçerlidir.',
  },
  reset: {
    title: 'Yeni parola seç',
    text: 'Her yerde oturumun kapatılır. Sonra yeni parolayla giriş yap.',
    save: 'Parolayı belirle',
    done: 'Parolan değiştirildi ve her yerde oturumun kapatıldı.',
  },
  verify: {
    title: 'E-posta adresini onayla',
    text: 'Burada bir hesap oluşturmadıysan bu sayfayı kapat. İlk onay, daha önce eklenen tüm ikinci adımları, geçiş anahtarlarını, bağlı kimlikleri ve botları kaldırır.',
    confirm: 'Bu adresi onayla',
    done: 'Adres onaylandı.',
    taken: 'Bu adresi zaten başka bir hesap kullanıyor.',
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
    hint: 'Yeni adrese bir bağlantı gelir. Bağlantıyı açtığında yeni adres eskisinin yerine geçer.',
    change: 'Adresi değiştir',
    changing: 'Yeni adrese bir bağlantı yolda.',
  },
  linkGone: 'Bu bağlantının süresi doldu veya zaten kullanıldı. Yenisini iste.',
  backToLogin: 'Girişe dön',
} satisfies typeof mailWords
