// Printed from locales/pl/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `Wiadomość może mieć do 10 plików. ${count(n, 'Pominięto # plik', 'Pominięto # pliki', 'Pominięto # plików', 'Pominięto # pliku')}.`,
  unnamed: 'plik',
  interrupted: 'Przesyłanie zostało przerwane.',
  remove: (name) => `Usuń ${name}`,
  progress: (name) => `Przesyłanie: ${name}`,
  download: 'Pobierz',
  downloadOne: (name) => `Pobierz ${name}`,
  mark: (name) => `Oznacz ${name} jako spoiler`,
  describe: (name) => `Opisz ${name}`,
  description: 'Co przedstawia',
  descriptionHint: 'Odczytywany osobom, które go nie widzą, i znajdowany przez wyszukiwarkę.',
} satisfies typeof fileWords
