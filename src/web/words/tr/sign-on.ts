import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `${name} ile giriş yap`,
  problems: {
    login_expired: 'Bu çok uzun sürdü veya başka pencerede başladı. Yeniden dene.',
    oidc_failed: 'Giriş orada olmadı. Yeniden dene veya bu sunucuyu yönetene sor.',
    email_taken: 'Buradaki bir hesapta e-posta adresin zaten var. Ona giriş yap ve güvenlik ayarlarından bağla.',
    forbidden: 'Burada sana ait bir hesap yok ve bu yolla yenisi açılmaz.',
    identity_taken: 'Bu girişle zaten başka bir hesap bağlı.',
    identity_linked: 'Hesabın zaten bağlı.',
    token_revoked: 'Bu arada oturumun sona erdi. Yeniden giriş yap.',
    unavailable: 'Giriş sunucusu cevap vermiyor. Birazdan yeniden dene.',
    last_way_in: 'Başka bir şeyle giriş yapamazdın. Önce bir parola belirle veya geçiş anahtarı ekle.',
  },
  linked: 'Hesabın bağlandı',
  proven: 'Teşekkürler. Yapmak istediğine devam et: on dakika boyunca yeniden sorulmaz.',
  title: 'Tek oturum açma',
  text: (name) => `${name} ile buraya parolasız giriş yaparsın.`,
  link: (name) => `${name} ile bağla`,
  since: (time) => `bağlandı ${time}`,
  used: (time) => `son kullanım ${time}`,
  unlink: 'Bağlantıyı kaldır',
  unlinkOf: (name) => `${name} bağlantısını kaldır`,
  unlinkText: (name) => `${name} artık seni burada içeri almaz.`,
} satisfies typeof signOnWords
