// Printed from locales/en/later.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of messages that an account has saved or scheduled. */
export const laterWords = inLanguage('later', {
  at: 'At another time',
  saved: {
    title: 'Saved',
    none: 'Nothing saved yet',
    noneText: 'Choose “Save message” in the menu of a message. Only you see what you save.',
    note: 'Note',
    noteText: 'Only you see it.',
    remind: 'Remind me',
    set: 'Set reminder',
    until: (time: string) => `Reminder ${time}`,
    since: (time: string) => `Reminder, due since ${time}`,
    clear: 'Remove reminder',
    done: 'Done',
    edit: 'Note and reminder…',
    remove: 'Remove from saved',
  },
  scheduled: {
    title: 'Scheduled',
    none: 'Nothing scheduled',
    noneText: 'Write a message, and choose “Send later” instead of sending it.',
    schedule: 'Schedule',
    at: (time: string) => `Will be sent ${time}`,
    edit: 'Edit…',
    held: 'Your scheduled messages are held, because your sessions were ended or a backup was restored. Check them, then confirm.',
    isHeld: 'Held until you confirm',
    confirm: 'Confirm all',
    overdue: 'Not sent: its time had passed.',
  },
})
