// Printed from locales/hi/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { digits } from '../plural.ts'

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
    mark: 'यहाँ से अपठित मार्क करें',
    since: (n) => `${digits(n)} अपठित उल्लेख`,
    toFirst: 'पहले अपठित संदेश पर जाएँ',
    muted: 'म्यूट',
  },
  date: {
    jump: 'किसी तारीख पर जाएँ',
  },
  completion: {
    everyone: 'हर सदस्य को सूचित करें',
    here: 'हर ऑनलाइन सदस्य को सूचित करें',
    mayNot: 'आपके पास इसका उल्लेख करने की अनुमति नहीं है। यह सादा टेक्स्ट रहेगा',
    role: 'भूमिका',
  },
} satisfies typeof notificationWords
