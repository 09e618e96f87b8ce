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
  choices: 'Kanäle und Rollen',
  pick: 'Rollen zum Aussuchen',
  pickHint: 'Du kannst deine Wahl jederzeit ändern.',
  nothing: 'Noch nichts auszusuchen',
  nothingText: 'Dieser Server bietet seinen Mitgliedern keine Auswahl an.',
  mayNotChoose: 'Du kannst wählen, sobald du hier schreiben kannst.',
  selfAssignable: 'Mitglieder können diese Rolle selbst wählen',
  selfAssignableHint:
    'Eine solche Rolle hat keinen Rang und nur Berechtigungen, die alle von Anfang an haben. Mitglieder ' +
    'behalten sie, wenn du das ausschaltest.',
  opens: 'Kanäle für alle öffnen?',
  opensText: (channels) => `Alle können die Rolle wählen und sehen dann: ${channels}`,
  open: 'Öffnen',
  hidden: 'ein Kanal, den du nicht siehst',
} satisfies typeof arrivalWords
