// Printed from locales/tr/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `${name} ile giriş yap`,
  problems: {
    login_expired: 'Bu çok uzun sürdü veya başka bir pencerede başlatıldı. Yeniden dene.',
    oidc_failed: 'Diğer hizmette giriş başarısız oldu. Yeniden dene veya bu sunucunun operatörüne sor.',
    email_taken: 'Buradaki bir hesap e-posta adresini zaten kullanıyor. Ona giriş yap ve güvenlik ayarlarından bağla.',
    forbidden: 'Burada hesabın yok ve bu yolla yeni hesap oluşturulamaz.',
    identity_taken: 'Bu girişe zaten başka bir hesap bağlı.',
    identity_linked: 'Hesabın zaten bağlı.',
    token_revoked: 'Oturumun sona erdi. Yeniden giriş yap.',
    unavailable: 'Giriş sunucusu yanıt vermiyor. Birazdan yeniden dene.',
    last_way_in: 'Giriş yapmanın tek yolu bu. Önce bir parola belirle veya geçiş anahtarı ekle.',
  },
  linked: 'Hesabın bağlandı',
  proven: 'Teşekkürler. Yaptığın işe devam et. On dakika boyunca yeniden sorulmaz.',
  title: 'Tek oturum açma',
  text: (name) => `Buraya ${name} ile, parolasız giriş yap.`,
  link: (name) => `${name} ile bağla`,
  since: (time) => `bağlandı ${time}`,
  used: (time) => `son kullanım ${time}`,
  unlink: 'Bağlantıyı kaldır',
  unlinkOf: (name) => `${name} bağlantısını kaldır`,
  unlinkText: (name) => `${name} artık seni burada içeri almaz.`,
} satisfies typeof signOnWords
