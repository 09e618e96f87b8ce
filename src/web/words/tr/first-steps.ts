// Printed from locales/tr/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'

export default {
  templates: {
    friends: {
      title: 'Arkadaşlar ve aile',
      text: 'Plan yapın, resim paylaşın ve birkaç kişiyle konuşun.',
      example: 'Göl evi',
      channels: [
        {
          name: 'planlar',
          topic: 'Sıradaki planlarımız ve zamanları',
        },
        {
          name: 'resimler',
          topic: 'Güzel olanları paylaş',
        },
        {
          name: 'Oturma odası',
        },
      ],
    },
    community: {
      title: 'Kulüp veya topluluk',
      text: 'Herkese haberler, selamlaşacak bir yer ve birçok konu için kanallar.',
      example: 'Kuş gözlemcileri',
      channels: [
        {
          name: 'haberler',
          topic: 'Herkesin bilmesi gerekenler',
        },
        {
          name: 'tanışma',
          topic: 'Yeni misin? Selam ver',
        },
        {
          name: 'sorular',
          topic: 'İstediğini sor',
        },
        {
          name: 'Buluşma yeri',
        },
      ],
    },
    team: {
      title: 'Ekip veya şirket',
      text: 'Görevleri alt başlıklarda konuşun, kararları kaydedin, sesli buluşun.',
      example: 'Bent onarımı',
      channels: [
        {
          name: 'görevler',
          topic: 'Kim neyi ne zamana kadar yapacak',
        },
        {
          name: 'kararlar',
          topic: 'Neye neden karar verdik',
        },
        {
          name: 'kahve',
          topic: 'İş dışında her şey',
        },
        {
          name: 'Günlük toplantı',
        },
      ],
    },
    gaming: {
      title: 'Oyun',
      text: 'Oyuncu bulun, oyun sırasında konuşun ve en iyi anları paylaşın.',
      example: 'Gece Avcıları',
      channels: [
        {
          name: 'haberler',
          topic: 'Güncellemeler ve etkinlikler',
        },
        {
          name: 'oyuncu-arıyorum',
          topic: 'Kim neyi ne zaman oynuyor',
        },
        {
          name: 'klipler',
          topic: 'En iyi anların',
        },
        {
          name: 'Lobi',
        },
        {
          name: 'Oyun',
        },
      ],
    },
    study: {
      title: 'Çalışma grubu',
      text: 'Yardım isteyin, notları paylaşın ve birlikte çalışın.',
      example: 'Cebir II',
      channels: [
        {
          name: 'haberler',
          topic: 'Tarihler ve duyurular',
        },
        {
          name: 'ödevler',
          topic: 'Yardım iste, yardım et',
        },
        {
          name: 'notlar',
          topic: 'Özetler ve bağlantılar',
        },
        {
          name: 'Çalışma odası',
        },
      ],
    },
    project: {
      title: 'Açık kaynak projesi',
      text: 'Sürümleri duyurun, kullanıcılara yardım edin ve kodu konuşun.',
      example: 'Balıkçıl',
      channels: [
        {
          name: 'haberler',
          topic: 'Sürümler ve duyurular',
        },
        {
          name: 'yardım',
          topic: 'Kullanıcı soruları',
        },
        {
          name: 'geliştirme',
          topic: 'Kod, incelemeler ve planlar',
        },
        {
          name: 'vitrin',
          topic: 'Onunla yaptıkların',
        },
        {
          name: 'Toplantı',
        },
      ],
    },
  },
  register: {
    title: 'Hesabını oluştur',
    closed: 'Bu sunucuda kayıt kapalı.',
    invited: (server) => `Ardından ${server} sunucusuna katılacaksın.`,
    name: 'İnsanlar sana ne desin?',
    nameHint: 'Bunu herkes görür. İstediğin zaman değiştirebilirsin.',
    usernameHint: 'Bununla giriş yaparsın. Başka kimse görmez.',
    nameNotKept: 'Hesabın hazır, ama adın kaydedilemedi. Ayarlardan yeniden belirle.',
  },
  home: {
    title: (name) => `Hoş geldin, ${name}`,
    text: 'Sunucularda veya arkadaşlarınla konuş. Nereden başlamak istersin?',
    make: 'Sunucu oluştur',
    makeText: 'Seçtiğin kişiler için sana ait bir yer.',
    join: 'Davetle katıl',
    joinText: 'Biri sana bağlantı mı gönderdi? Buraya yapıştır.',
    link: 'Davet bağlantısı veya kodu',
    open: 'Daveti aç',
    find: 'Arkadaş bul',
    findText: 'Kullanıcı adına veya görünen ada göre ara.',
  },
  setup: {
    steps: {
      name: 'Ad',
      picture: 'Resim',
      channels: 'Kanallar',
      rules: 'Kurallar',
      invite: 'Davet',
    },
    moderators: 'Moderatörler',
    power: 'Yönetebilen roller',
    file: 'Dosyadan',
    fileText: 'Başka bir sunucunun ayarlarında kaydedilmiş bir şablon.',
    fileWrong: 'Bu dosya bir şablon değil.',
    rulesTitle: 'Kuralları belirle',
    rulesText: 'Yeni üyeler yazabilmek için bunları kabul eder.',
    rulesExample: '1. Nazik ol.\n2. Spam yapma.',
    progress: 'Adımlar',
    whom: 'Kimin için?',
    next: 'Devam',
    skip: 'Şimdilik atla',
    pictureTitle: 'Resim ekle',
    pictureText: 'Resim, addan daha kolay fark edilir. PNG, JPEG, WebP, GIF veya AVIF.',
    channelsTitle: 'Ne hakkında konuşacaksınız?',
    channelsText: 'Kanallar konuları ayırır. Başlangıç için birkaç tane seç; istediğin zaman değiştirebilirsin.',
    general: 'Zaten var, her şey için',
    readOnly: (topic) => `${topic}. Herkes okuyabilir, yalnızca moderatörler yazabilir`,
    another: 'Başka kanal',
    add: 'Ekle',
    make: (n) => (n === 0 ? 'Devam' : `${digits(n)} kanal oluştur`),
    inviteTitle: 'İlk üyelerini davet et',
    inviteText: 'Bu bağlantıya sahip olan herkes katılabilir. Bir hafta geçerlidir.',
    share: 'Paylaş…',
    open: (name) => `${name} sunucusunu aç`,
  },
  invite: {
    from: 'seni davet ediyor:',
    without: 'Davet edildiğin yer:',
    online: (n) => `${digits(n)} çevrimiçi`,
    until: (time) => `Bu davet ${time} tarihine kadar geçerli.`,
    call: 'Buradaki son aramandan beş dakika sonrasına kadar üye kalırsın.',
    day: 'Bir gün boyunca üye olursun.',
    isMember: 'Zaten üyesin.',
    over: 'Bu davet artık geçerli değil',
    overText: 'Süresi doldu, hakkı bitti veya iptal edildi. Gönderen kişiden yenisini iste.',
    unknown: 'Davet bulunamadı',
    unknownText: 'Bağlantı eksik olabilir. Tamamını, sana gönderildiği gibi yeniden aç.',
    banned: 'Bu sunucuya katılamazsın',
    bannedText: 'Bir moderatör seni yasakladı.',
    join: 'Sunucuya katıl',
    notNow: 'Şimdi değil',
    back: 'Konuşmalarına dön',
  },
} satisfies typeof firstWords
