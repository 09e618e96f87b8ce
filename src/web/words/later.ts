import { inLanguage } from './plural.ts'

/** Words of messages that an account has saved for later. */
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
})
