import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Zgłoś wiadomość',
  reportProfile: 'Zgłoś profil',
  reason: 'Powód',
  note: 'Co powinni wiedzieć? (opcjonalnie)',
  readers: 'Kto ma je przeczytać?',
  toModerators: (server) => `Moderatorzy serwera ${server}`,
  toOperator: 'Tylko operator tej instalacji',
  readByModerators: (server) =>
    `Czytają je moderatorzy serwera ${server}, którzy stoją wyżej niż ta osoba i mogą czytać ` +
    'ten kanał. Widzą, kto zgłosił.',
  readByOperator: 'Czyta je tylko operator tej instalacji, nie moderatorzy. Widzi, kto zgłosił.',
  kept: 'Otrzymują tekst, pięć wcześniejszych wiadomości i pliki w obecnej postaci.',
  keptProfile: 'Otrzymują nazwy i zdjęcie w obecnej postaci.',
  send: 'Wyślij zgłoszenie',
  sent: 'Zgłoszenie wysłane. Dziękujemy.',
  reasons: {
    spam: 'Spam lub reklama',
    harassment: 'Nękanie',
    hate: 'Nienawiść wobec grupy',
    violence: 'Przemoc lub groźby',
    sexual: 'Niechciane treści seksualne',
    minor_safety: 'Krzywda nieletnich',
    self_harm: 'Samookaleczenie lub samobójstwo',
    illegal: 'Coś nielegalnego',
    impersonation: 'Podszywanie się pod kogoś',
    other: 'Coś innego',
  },
} satisfies typeof moderationWords
