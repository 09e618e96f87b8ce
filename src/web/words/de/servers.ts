// Printed from locales/de/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Server',
    add: 'Server hinzufügen',
    name: 'Servername',
    viewedAs: (role) =>
      role === undefined
        ? 'Du siehst den Server gerade als Mitglied ohne Rollen.'
        : `Du siehst den Server gerade als ${role}.`,
    stopViewing: 'Beenden',
    gone: (name) => `${name} wurde gelöscht.`,
  },
  channels: {
    browse: 'Kanäle durchsuchen',
    list: 'Kanäle',
    private: ', privat',
    text: 'Text',
    voice: 'Sprache',
    none: 'Hier gibt es noch nichts zu sehen',
    noneText: 'Deine Rollen lassen dich keine Kanäle sehen. Die Moderation des Servers kann das ändern.',
    noneToMake: 'Unterhaltungen finden in Kanälen statt. Erstelle den ersten.',
    addTopic: 'Thema hinzufügen',
    outside: 'Keine Kategorie',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} steht jetzt an Stelle ${place}.`
        : `${name} steht jetzt in ${category} an Stelle ${place}.`,
    moveHint: 'Drücke Alt und eine Pfeiltaste, um ihn zu verschieben.',
    addTo: (name) => `Neuer Kanal in ${name}`,
    make: {
      text: 'Neuer Textkanal',
      voice: 'Neuer Sprachkanal',
      category: 'Neue Kategorie',
    },
    settings: (name) => `Einstellungen von ${name}`,
    taken: ({ n, limit }) => `${digits(n)} von ${digits(limit)} Personen`,
  },
  invite: {
    people: 'Leute einladen',
  },
} satisfies typeof serverWords
