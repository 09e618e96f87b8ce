// Printed from locales/pl/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Znajomy',
    pending_incoming: 'chce dodać cię do znajomych',
    pending_outgoing: 'Wysłano zaproszenie',
    blocked: 'Zablokowano',
  },
  tabs: {
    friends: 'Znajomi',
    waiting: 'Zaproszenia',
    blocked: 'Zablokowani',
    find: 'Znajdź osoby',
  },
  none: {
    friends: [
      'Nie masz jeszcze znajomych',
      'Dodaj znajomych, aby widzieć, kto jest online, pisać i dzwonić do nich oraz tworzyć grupy.',
    ],
    waiting: [
      'Brak oczekujących zaproszeń',
      'Zaproszenia do znajomych, które wysyłasz lub otrzymujesz, są tu widoczne do czasu odpowiedzi.',
    ],
    blocked: [
      'Nikt nie jest zablokowany',
      'Zablokowane osoby nie mogą do ciebie pisać ani dzwonić. Nie dostają o tym powiadomienia.',
    ],
  },
  nobody: 'Nikogo nie znaleziono',
  nobodyText: 'Podaj pełną nazwę użytkownika albo część nazwy wyświetlanej.',
  search: 'Nazwa użytkownika lub nazwa wyświetlana',
  searchHint: 'Pełna nazwa użytkownika lub część nazwy wyświetlanej.',
  find: 'Szukaj',
  add: 'Dodaj do znajomych',
  accept: 'Przyjmij',
  decline: 'Odrzuć',
  cancel: 'Anuluj zaproszenie',
  remove: 'Usuń ze znajomych',
  block: 'Zablokuj',
  unblock: 'Odblokuj',
  messageRequests: {
    title: 'Prośby o wiadomość',
    text: (name) =>
      `${name} chce do Ciebie pisać i nie dowie się, czy to przeczytano. Jeśli odpowiesz lub przyjmiesz prośbę, będzie mógł pisać jak każdy, kogo znasz.`,
    hint: 'Tu czekają wiadomości od osób, których nie znasz. O niczym nie powiadamiają, a ich obrazy są zakryte.',
    ignore: 'Zignoruj',
    ignored: 'Zignorowana',
    none: 'Brak próśb o wiadomość',
  },
} satisfies typeof friendWords
