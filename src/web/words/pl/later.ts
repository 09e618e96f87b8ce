// Printed from locales/pl/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: 'W innym czasie',
  saved: {
    title: 'Zapisane',
    none: 'Nic jeszcze nie zapisano',
    noneText: 'Wybierz „Zapisz wiadomość” w menu wiadomości. Tylko ty widzisz, co zapisujesz.',
    note: 'Notatka',
    noteText: 'Tylko ty ją widzisz.',
    remind: 'Przypomnij mi',
    set: 'Ustaw przypomnienie',
    until: (time) => `Przypomnienie ${time}`,
    since: (time) => `Przypomnienie, czeka od ${time}`,
    clear: 'Usuń przypomnienie',
    done: 'Gotowe',
    edit: 'Notatka i przypomnienie…',
    remove: 'Usuń z zapisanych',
  },
  scheduled: {
    title: 'Zaplanowane',
    none: 'Nic nie zaplanowano',
    noneText: 'Napisz wiadomość i wybierz „Wyślij później” zamiast ją wysyłać.',
    schedule: 'Zaplanuj',
    at: (time) => `Zostanie wysłana: ${time}`,
    edit: 'Edytuj…',
    held: 'Twoje zaplanowane wiadomości są wstrzymane, bo zakończono twoje sesje lub przywrócono kopię zapasową. Sprawdź je i potwierdź.',
    isHeld: 'Wstrzymana, dopóki nie potwierdzisz',
    confirm: 'Potwierdź wszystkie',
    overdue: 'Nie wysłano: jej czas już minął.',
  },
} satisfies typeof laterWords
