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
      'Znajomi są tu zawsze pod ręką: zobacz, kto jest online, pisz, dzwoń i twórz grupy.',
    ],
    waiting: ['Brak otwartych zaproszeń', 'Wysłane i otrzymane zaproszenia czekają tu na odpowiedź.'],
    blocked: [
      'Nikt nie jest zablokowany',
      'Kogo zablokujesz, ten nie może do ciebie pisać ani dzwonić i nie dowiaduje się o tym.',
    ],
  },
  nobody: 'Nikogo nie znaleziono',
  nobodyText: 'Nazwa użytkownika musi być cała. Z nazwy wyświetlanej wystarczy część.',
  search: 'Nazwa użytkownika lub nazwa wyświetlana',
  searchHint: 'Cała nazwa użytkownika lub część nazwy wyświetlanej.',
  find: 'Szukaj',
  add: 'Dodaj do znajomych',
  accept: 'Przyjmij',
  decline: 'Odrzuć',
  cancel: 'Anuluj zaproszenie',
  remove: 'Usuń ze znajomych',
  block: 'Zablokuj',
  unblock: 'Odblokuj',
} satisfies typeof friendWords
