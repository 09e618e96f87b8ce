// Printed from locales/tr/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Yeniden hoş geldin',
    ended: 'Oturumun başka bir cihazdan kapatıldı. Devam etmek için giriş yap. Gönderilmemiş mesajların hâlâ burada.',
    name: 'Kullanıcı adı veya e-posta',
    username: 'Kullanıcı adı',
    email: 'E-posta',
    password: 'Parola',
    login: 'Giriş yap',
    passkey: 'Geçiş anahtarıyla giriş yap',
    register: 'Hesap oluştur',
    forgot: 'Parolanı mı unuttun?',
    noAccount: 'Henüz hesabın yok mu?',
    haveAccount: 'Zaten hesabın var mı?',
    rulesTitle: 'Gerekenler',
    rules: {
      length: 'en az 12 karakter',
      upper: 'bir büyük harf',
      lower: 'bir küçük harf',
      digit: 'bir rakam',
      special: '!@#$%^&* arasından biri',
    },
  },
  newLogin: ({ device, ip }) =>
    `Hesabına yeni bir giriş: ${device}, ${ip} adresinden. Bu sen değilsen ayarlardan o oturumu bitir.`,
  securityChanged: {
    totp_on: 'Hesabın için bir kimlik doğrulama uygulaması kuruldu.',
    totp_off: 'Hesabının kimlik doğrulama uygulaması kapatıldı.',
    recovery_codes: 'Hesabın için yeni kurtarma kodları oluşturuldu.',
    passkey_added: 'Hesabına bir geçiş anahtarı eklendi.',
    passkey_removed: 'Hesabından bir geçiş anahtarı kaldırıldı.',
    identity_linked: 'Hesabın tek oturum açma ile bağlandı.',
    identity_unlinked: 'Hesabının tek oturum açma bağlantısı kaldırıldı.',
  },
  unknownDevice: 'bilinmeyen bir cihaz',
} satisfies typeof accountWords
