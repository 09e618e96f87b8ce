// Printed from locales/tr/words.json. After a change there: bun run words
import type { words } from '../words.ts'
import { badge, digits } from '../plural.ts'
import emoji from './emoji.ts'
import messages from './messages.ts'
import notifications from './notifications.ts'
import people from './people.ts'
import servers from './servers.ts'
import shortcuts from './shortcuts.ts'
import threads from './threads.ts'
import voice from './voice.ts'
import errors from './errors.ts'
import rules from './rules.ts'

export default {
  ...emoji,
  ...messages,
  ...notifications,
  ...people,
  ...servers,
  ...shortcuts,
  ...threads,
  ...voice,
  settings: {
    title: 'Ayarlar',
  },
  conversations: 'Konuşmalar',
  search: {
    open: 'Mesajlarda ara',
  },
  sizes: ['B', 'KB', 'MB', 'GB'],
  loading: 'Yükleniyor…',
  unreachable: 'Sunucuya ulaşılamıyor. Yeniden deneniyor…',
  reconnecting: 'Bağlantı koptu. Yeniden bağlanılıyor…',
  ended: 'Bu pencere artık bağlı değil. Devam etmek için sayfayı yenile.',
  menuUnread: 'Kanallar ve sunucular, okunmamış bir şey var',
  skip: 'Mesajlara geç',
  menu: 'Kanallar ve sunucular',
  tools: 'Bu yer hakkında daha fazlası',
  close: 'Kapat',
  cancel: 'Vazgeç',
  save: 'Kaydet',
  saved: 'Kaydedildi',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  notLoaded: 'Sayfanın bu kısmı yüklenemedi. Yeniden dene veya sayfayı yenile.',
  notCopied: 'Tarayıcın kopyalamaya izin vermedi.',
  more: 'Daha fazla göster',
  owner: 'sahip',
  bot: 'Bot',
  guest: 'Misafir',
  membersTitle: 'Üyeler',
  members: (n) => `${digits(n)} üye`,
  andMore: (n) => `ve ${digits(n)} kişi daha`,
  named: ({ n, isAny, name }) =>
    n === 0 ? (isAny ? `${name}, okunmamış mesajlar var` : name) : `${name}, ${badge(n)} okunmamış`,
  draft: 'Taslak',
  withDraft: ', taslak',
  failed: (reason) => `Olmadı: ${reason}`,
  problems: {
    ...errors,
    invalid_credentials: 'Ad veya parola yanlış.',
    rate_limited: 'Çok fazla deneme.',
    invite_gone: 'Bu davetin süresi doldu veya hakkı bitti. Yenisini iste.',
    not_found: 'Bu yok ya da erişimin yok.',
    banned: 'Bu sunucudan yasaklandın.',
    storage_full: 'Sunucuda yeni mesaj ve dosyalar için yer kalmadı.',
    offline: 'Sunucuya ulaşılamıyor.',
  },
  rules,
} satisfies typeof words
