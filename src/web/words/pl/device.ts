// Printed from locales/pl/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Udostępnij',
    text: 'Wiadomość',
    send: 'Udostępnij',
    leftOut: (n) =>
      count(
        n,
        'Pominięto # plik: za dużo na jedno udostępnienie.',
        'Pominięto # pliki: za dużo na jedno udostępnienie.',
        'Pominięto # plików: za dużo na jedno udostępnienie.',
        'Pominięto # pliku: za dużo na jedno udostępnienie.',
      ),
  },
  notices: {
    tab: 'Powiadomienia',
    here: 'Na tym urządzeniu',
    push: 'Powiadomienia, gdy Parley jest zamknięty',
    pushText: 'Są wysyłane przez usługę push twojej przeglądarki, zaszyfrowane tak, że odczyta je tylko to urządzenie.',
    none: 'Ta przeglądarka nie może tu odbierać powiadomień push. Wymagają one HTTPS. Na iPhonie lub iPadzie najpierw dodaj Parley do ekranu początkowego.',
    denied:
      'Twoja przeglądarka blokuje powiadomienia z tej witryny. Zezwól na nie w ustawieniach witryny w przeglądarce.',
    off: 'Ten serwer nie wysyła powiadomień push.',
    needHttps: 'Powiadomienia na pulpicie wymagają HTTPS.',
    desktop: 'Powiadomienia na pulpicie, gdy Parley jest otwarty',
    sound: 'Odtwarzaj dźwięk dla wiadomości, których nie ma na ekranie',
    everywhere: 'Na wszystkich twoich urządzeniach',
    hide: 'Ukryj nazwy i tekst',
    hideText: 'Powiadomienia informują tylko, że jest coś nowego.',
    quiet: 'Nie przeszkadzać',
    quietText: (zone) =>
      `Codziennie między tymi godzinami (${zone}). Wstrzymane są też powiadomienia push o połączeniach.`,
    from: 'Od',
    until: 'Do',
  },
} satisfies typeof deviceWords
