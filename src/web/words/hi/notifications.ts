// Printed from locales/hi/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'सूचनाएँ',
    of: (name) => `${name} की सूचनाएँ`,
  },
  inbox: {
    open: 'इनबॉक्स दिखाएँ',
    reminder: 'सहेजे गए संदेश का रिमाइंडर',
  },
  unread: {
    muted: 'म्यूट',
  },
  date: {
    jump: 'किसी तारीख पर जाएँ',
  },
} satisfies typeof notificationWords
