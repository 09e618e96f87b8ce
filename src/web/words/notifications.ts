// Printed from locales/en/notifications.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words of unread messages, mentions and notifications. */
export const notificationWords = {
  notifications: {
    title: 'Notifications',
    of: (name: string) => `Notifications for ${name}`,
  },
  inbox: {
    open: 'Show inbox',
    reminder: 'Reminder of a saved message',
  },
  unread: {
    muted: 'muted',
  },
  date: {
    jump: 'Jump to a date',
  },
} satisfies Words
