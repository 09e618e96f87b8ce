// Printed from locales/de/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Befreundet',
    pending_incoming: 'möchte mit dir befreundet sein',
    pending_outgoing: 'Anfrage gesendet',
    blocked: 'Blockiert',
  },
  tabs: {
    friends: 'Freunde',
    waiting: 'Anfragen',
    blocked: 'Blockiert',
    find: 'Leute finden',
  },
  none: {
    friends: [
      'Noch keine Freunde',
      'Füge Freunde hinzu, um zu sehen, wer online ist, ihnen zu schreiben, sie anzurufen und Gruppen zu erstellen.',
    ],
    waiting: [
      'Keine offenen Anfragen',
      'Gesendete und erhaltene Freundschaftsanfragen erscheinen hier, bis sie beantwortet sind.',
    ],
    blocked: [
      'Niemand ist blockiert',
      'Blockierte Personen können dir nicht schreiben und dich nicht anrufen. Sie werden nicht benachrichtigt.',
    ],
  },
  nobody: 'Niemanden gefunden',
  nobodyText: 'Gib einen vollständigen Benutzernamen oder einen Teil eines Anzeigenamens ein.',
  search: 'Benutzername oder Anzeigename',
  searchHint: 'Ein vollständiger Benutzername oder ein Teil eines Anzeigenamens.',
  find: 'Suchen',
  add: 'Freund hinzufügen',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  cancel: 'Anfrage zurückziehen',
  remove: 'Freundschaft beenden',
  block: 'Blockieren',
  unblock: 'Blockierung aufheben',
  messageRequests: {
    title: 'Nachrichtenanfragen',
    text: (name) =>
      `${name} möchte dir schreiben und erfährt nicht, ob du das gelesen hast. Wenn du antwortest oder annimmst, kann ${name} dir schreiben wie alle, die du kennst.`,
    hint: 'Hier warten Nachrichten von Leuten, die du nicht kennst. Sie benachrichtigen dich nicht, und ihre Bilder sind verdeckt.',
    ignore: 'Ignorieren',
    ignored: 'Ignoriert',
    none: 'Keine Nachrichtenanfragen',
  },
} satisfies typeof friendWords
