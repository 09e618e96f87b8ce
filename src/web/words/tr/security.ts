import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

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
    login_expired: 'Bu çok uzun sürdü veya çok denendi. Yeniden giriş yap.',
    invalid_credentials: 'Bu senin parolan değil.',
  },
  recoveryHint: 'Kaydettiğin on koddan biri. Her biri bir kez geçer.',
  second: {
    title: 'Bir adım daha',
    text: 'Sen olduğunu göster.',
    login: 'Giriş yap',
    back: 'Geri',
  },
  proof: {
    title: 'Sen misin?',
    text: 'Bu, hesabına kimin girebileceğini değiştirir. On dakika boyunca yeniden sorulmaz.',
    go: 'Devam',
    none: 'Burada bunu gösterecek bir şey yok. Bu sunucuyu yönetenden parola bağlantısı iste.',
  },
  notThere: 'Tarayıcı geçiş anahtarı kullanmadı: iptal edildi veya bu site için yok.',
  app: {
    title: 'Kimlik doğrulama uygulaması',
    off: 'O zaman giriş için parolanın yanında telefonundaki bir uygulamadan kod gerekir.',
    since: (time) => `${time} tarihinden beri açık. Giriş için uygulamandan kod gerekir.`,
    left: (n) => count(n, '# kurtarma kodu kaldı', '# kurtarma kodu kaldı'),
    setUp: 'Kur',
    turnOff: 'Kapat',
    turnOffText: 'Giriş için yalnız parolan yeter. Kurtarma kodların geçersiz olur.',
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
    text:
      'Şimdi kaydet: yalnızca bir kez gösterilirler. Uygulaman elinin altında değilken her biri seni bir ' +
      'kez içeri alır. Öncekiler artık geçmez.',
    file: 'parley-kurtarma-kodlari.txt',
    heading: (name, host) => `${host} üzerindeki ${name} hesabının kurtarma kodları`,
    download: 'İndir',
    saved: 'Kaydettim',
  },
  passkeys: {
    title: 'Geçiş anahtarları',
    text: 'Geçiş anahtarı seni parolasız, parmak izi, yüz, PIN veya güvenlik anahtarıyla içeri alır.',
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
} satisfies typeof securityWords
