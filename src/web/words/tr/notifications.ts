// Printed from locales/tr/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

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
    muted: 'sessizde',
  },
  date: {
    jump: 'Bir tarihe git',
  },
} satisfies typeof notificationWords
