import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Neue Mitglieder',
  rules: 'Regeln',
  rulesHint:
    'Wer später beitritt, nimmt diese Regeln an, bevor er schreiben kann. Eine Änderung zeigt Mitgliedern ' +
    'einen Hinweis und hält niemanden auf.',
  rulesField: 'Regeln (Markdown, höchstens 16 Zeilen)',
  saveRules: 'Regeln speichern',
  waiting: 'Fast geschafft: Nimm die Regeln an, um mitzumachen.',
  changed: 'Die Regeln dieses Servers haben sich geändert.',
  read: 'Regeln lesen',
  rulesOf: (server) => `Regeln von ${server}`,
  accept: 'Regeln annehmen',
  goIn: 'Eintreten',
  noRules: 'Dieser Server hat keine Regeln. Du kannst eintreten.',
  readAgain: 'Die Regeln haben sich gerade geändert. Bitte lies sie noch einmal.',
  welcome: 'Willkommen!',
  wave: 'Winken',
} satisfies typeof arrivalWords
