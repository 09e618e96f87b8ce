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
      'Freunde hast du hier immer zur Hand: Du siehst, wer online ist, kannst schreiben, anrufen und ' +
        'Gruppen bilden.',
    ],
    waiting: [
      'Keine offenen Anfragen',
      'Anfragen, die du sendest oder erhältst, warten hier, bis sie beantwortet sind.',
    ],
    blocked: [
      'Niemand ist blockiert',
      'Wen du blockierst, kann dir weder schreiben noch dich anrufen und erfährt nichts davon.',
    ],
  },
  nobody: 'Niemanden gefunden',
  nobodyText: 'Ein Benutzername muss vollständig sein. Von einem Anzeigenamen genügt ein Teil.',
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
} satisfies typeof friendWords
