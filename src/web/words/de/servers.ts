import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Server',
    add: 'Server hinzufügen',
    name: 'Servername',
    settings: 'Servereinstellungen',
    leave: 'Server verlassen',
    viewedAs: (role) =>
      role === undefined
        ? 'Du siehst den Server so, wie ein Mitglied ohne Rollen ihn sieht.'
        : `Du siehst den Server so, wie ${role} ihn sieht.`,
    stopViewing: 'Beenden',
    gone: (name) => `${name} wurde gelöscht.`,
    leaveText: (name) => `Du brauchst eine neue Einladung, um zu ${name} zurückzukommen.`,
  },
  channels: {
    list: 'Kanäle',
    private: ', privat',
    text: 'Text',
    voice: 'Sprache',
    none: 'Hier gibt es noch nichts zu sehen',
    noneText: 'Deine Rollen lassen dich keinen Kanal sehen. Wer den Server leitet, kann das ändern.',
    noneToMake: 'Unterhaltungen finden in Kanälen statt. Erstelle den ersten.',
    addTopic: 'Thema hinzufügen',
    outside: 'Außerhalb der Kategorien',
    moved: (name, category, place) =>
      category === undefined
        ? `${name} steht jetzt an Stelle ${place}.`
        : `${name} steht jetzt in ${category} an Stelle ${place}.`,
    moveHint: 'Alt und die Pfeiltasten verschieben ihn.',
    addTo: (name) => `Neuer Kanal in ${name}`,
    make: {
      text: 'Neuer Textkanal',
      voice: 'Neuer Sprachkanal',
      category: 'Neue Kategorie',
    },
    settings: (name) => `Einstellungen von ${name}`,
  },
  invite: {
    people: 'Leute einladen',
    join: 'Server beitreten',
    notNow: 'Nicht jetzt',
    back: 'Zurück zu deinen Unterhaltungen',
  },
} satisfies typeof serverWords
