// Printed from locales/de/later.json. After a change there: bun run words
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
  scheduled: {
    title: 'Geplant',
    none: 'Nichts geplant',
    noneText: 'Schreibe eine Nachricht, und wähle „Später senden“, statt sie zu senden.',
    schedule: 'Planen',
    at: (time) => `Wird gesendet: ${time}`,
    edit: 'Bearbeiten …',
    held: 'Deine geplanten Nachrichten sind angehalten, weil deine Sitzungen beendet wurden oder eine Sicherung eingespielt wurde. Sieh sie durch, und bestätige sie dann.',
    isHeld: 'Angehalten, bis du bestätigst',
    confirm: 'Alle bestätigen',
    overdue: 'Nicht gesendet: Der Zeitpunkt war vorbei.',
  },
} satisfies typeof laterWords
