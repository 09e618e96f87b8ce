// Printed from locales/pl/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Strony publiczne',
  server: 'Kanały tego serwera mogą być publiczne',
  serverText: 'Wybierz poszczególne kanały i fora w ich ustawieniach. Bez tego nic nie jest publiczne.',
  indexed: 'Wyszukiwarki mogą je pokazywać',
  channel: 'Każdy czyta ten kanał, bez konta',
  channelText: 'Pominięto wiadomości członków wstrzymanych oraz tych, którzy dołączyli w ciągu ostatnich 24 godzin.',
  serverOff: 'Najpierw zezwól na strony publiczne w ustawieniach serwera.',
  older: 'Także to, co napisano wcześniej',
  olderText: ({ people, messages }) => `Osoby, które tu pisały: ${people}. Ich wiadomości: ${messages}.`,
  open: 'Otwórz stronę publiczną',
  here: 'Każdy może czytać to, co tu napisano, bez konta.',
  name: 'Strony publiczne pokazują moją nazwę',
  nameText: 'W przeciwnym razie nazywają cię „A member”.',
} satisfies typeof publicWords
