import type { laterWords } from '../later.ts'

export default {
  at: 'Zu einem anderen Zeitpunkt',
  saved: {
    title: 'Gespeichert',
    none: 'Noch nichts gespeichert',
    noneText: 'Wähle im Menü einer Nachricht „Nachricht speichern“. Nur du siehst, was du speicherst.',
    note: 'Notiz',
    noteText: 'Nur du siehst sie.',
    remind: 'Erinnere mich',
    set: 'Erinnerung setzen',
    until: (time) => `Erinnerung ${time}`,
    since: (time) => `Erinnerung, fällig seit ${time}`,
    clear: 'Erinnerung entfernen',
    done: 'Erledigt',
    edit: 'Notiz und Erinnerung …',
    remove: 'Nicht mehr speichern',
  },
} satisfies typeof laterWords
