// Printed from locales/tr/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { digits } from '../plural.ts'

export default {
  methods: {
    password: 'Parolanı kullan',
    code: 'Kimlik doğrulama uygulamanı kullan',
    recovery_code: 'Kurtarma kodu kullan',
    passkey: 'Geçiş anahtarı kullan',
  },
  fields: {
    password: 'Parola',
    code: 'Kimlik doğrulama uygulamandaki kod',
    recovery_code: 'Kurtarma kodu',
  },
  problems: {
    invalid_code: 'Bu kod yanlış, süresi dolmuş veya zaten kullanılmış. Sonrakini bekle.',
    login_expired: 'Bu çok uzun sürdü veya çok fazla deneme yapıldı. Yeniden giriş yap.',
    invalid_credentials: 'Yanlış parola.',
  },
  recoveryHint: 'Kaydettiğin on koddan biri. Her biri bir kez geçer.',
  second: {
    title: 'Bir adım daha',
    text: 'Sen olduğunu doğrula.',
    login: 'Giriş yap',
    back: 'Geri',
  },
  proof: {
    title: 'Sen olduğunu doğrula',
    text: 'Bu, hesabına kimin girebileceğini değiştirir. On dakika boyunca yeniden sorulmaz.',
    go: 'Devam',
    none: 'Burada kimliğini doğrulamanın bir yolu yok. Bu sunucunun operatöründen parola sıfırlama bağlantısı iste.',
  },
  notThere: 'Geçiş anahtarı kullanılmadı: iptal ettin veya bu site için yok.',
  app: {
    title: 'Kimlik doğrulama uygulaması',
    off: 'Giriş için telefonundaki bir uygulamadan kod da gerekecek.',
    since: (time) => `${time} tarihinden beri açık. Giriş için uygulamandan kod gerekir.`,
    left: (n) => `${digits(n)} kurtarma kodu kaldı`,
    setUp: 'Kur',
    turnOff: 'Kapat',
    turnOffText: 'Giriş için yalnızca parolan gerekecek. Kurtarma kodların geçersiz olur.',
    isOff: 'Kimlik doğrulama uygulaması kapalı',
    newCodes: 'Yeni kurtarma kodları',
    scan: 'Bunu kimlik doğrulama uygulamanla tara.',
    picture: 'Kimlik doğrulama uygulaması için QR kodu',
    type: 'Veya bu anahtarı ona yaz:',
    confirm: 'Sonra gösterdiği kodu gir',
    turnOn: 'Aç',
  },
  codes: {
    title: 'Kurtarma kodların',
    text: 'Şimdi kaydet: yalnızca bir kez gösterilirler. Uygulaman yanında olmadığında her kod bir kez geçer. Önceki kodlar artık geçmez.',
    file: 'parley-kurtarma-kodlari.txt',
    heading: ({ name, host }) => `${host} üzerindeki ${name} hesabının kurtarma kodları`,
    download: 'İndir',
    saved: 'Kaydettim',
  },
  passkeys: {
    title: 'Geçiş anahtarları',
    text: 'Parmak izin, yüzün, PIN’in veya güvenlik anahtarınla, parolasız giriş yap.',
    add: 'Geçiş anahtarı ekle',
    added: (time) => `eklendi ${time}`,
    used: (time) => `son kullanım ${time}`,
    name: 'Ad',
    nameHint: 'Sonra tanıman için, örneğin “Telefon”.',
    rename: 'Yeniden adlandır',
    renameOf: (name) => `${name} anahtarını yeniden adlandır`,
    remove: 'Kaldır',
    removeOf: (name) => `${name} anahtarını kaldır`,
    removeText: (name) => `${name} artık seni burada içeri almaz.`,
  },
  files: {
    title: 'Bu uygulamanın dosyaları',
    text: 'Bu tarayıcı uygulamanın dosyalarını saklayabilir ve sunucudan başkalarını almadan önce sana sorabilir. Özetlerini bir sürümünkiyle karşılaştır.',
    pin: 'Değişen dosyaları reddet',
    kept: ({ version, date }) => `${version} sürümü, ${date} tarihinden beri saklanıyor`,
    hash: 'Dosyalarının özeti',
    limits:
      'Bu, yanlışlıkla ya da başkası tarafından değiştirilmiş dosyaları bulur. Sunucunun işletmecisi bunu aşabilir: tarayıcılar, dosyaları denetleyen bölümü sormadan değiştirir.',
    noWorker: 'Bu tarayıcı bu sayfanın dosyalarını saklayamıyor.',
    question: 'Sunucuda başka dosyalar var',
    questionText: ({ version, next }) =>
      `${version} sürümünü kullanıyorsun. Sunucu, dosyalarının ${next} sürümü olduğunu söylüyor. Yalnızca özetleri yayımlanan sürümünkiyle aynıysa al.`,
    next: 'Yeni dosyaların özeti',
    take: 'Yeni dosyaları al',
    keep: 'Dosyalarımı koru',
    problems: {
      mismatch: 'Sunucunun bir dosyası, listesinde adı geçen dosya değil. Dosyaların olduğu gibi kalıyor.',
      incomplete: 'Dosyaların tümü yüklenemedi. Dosyaların olduğu gibi kalıyor.',
    },
    refused: 'Sunucu bu uygulamanın değiştirilmiş bir dosyasını gönderdi. Reddedildi.',
    unlisted:
      'Sunucu, uygulamanın dosyalarını denetleyen bölümünü değiştirdi, ama listesi değişmedi. Bu sayfayı yenilemeden önce dosyaları sürümle karşılaştır.',
  },
} satisfies typeof securityWords
