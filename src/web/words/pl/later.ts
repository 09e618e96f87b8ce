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
} satisfies typeof laterWords
