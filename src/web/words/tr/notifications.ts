// Printed from locales/tr/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { digits } from '../plural.ts'

export default {
  notifications: {
    title: 'Bildirimler',
    of: (name) => `${name} bildirimleri`,
  },
  inbox: {
    open: 'Gelenleri göster',
    reminder: 'Kaydedilen bir mesajın hatırlatıcısı',
  },
  unread: {
    mark: 'Buradan itibaren okunmadı say',
    since: (n) => `${digits(n)} okunmamış bahsetme`,
    toFirst: 'İlk okunmamış mesaja git',
    muted: 'sessizde',
  },
  date: {
    jump: 'Bir tarihe git',
  },
  completion: {
    everyone: 'Tüm üyelere bildir',
    here: 'Çevrimiçi tüm üyelere bildir',
    mayNot: 'Bundan bahsetme iznin yok. Düz metin olarak kalır',
    role: 'rol',
  },
} satisfies typeof notificationWords
