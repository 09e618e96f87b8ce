// Printed from locales/pl/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Długość musi wynosić od # do # znaków',
  'Must be at least # characters long': 'Musi mieć co najmniej # znaków',
  'Must be at most # characters long': 'Może mieć najwyżej # znaków',
  'Must not be blank': 'Nie może składać się z samych odstępów',
  'Must not be empty': 'Nie może być puste',
  'Must not contain control characters': 'Nie może zawierać znaków sterujących',
  'Must not contain more than # combining marks in a row': 'Nie może zawierać więcej niż # znaków łączących z rzędu',
  'Must not contain endless combining marks': 'Nie może zawierać nieskończonych ciągów znaków łączących',
  'Must contain an uppercase letter A-Z': 'Musi zawierać wielką literę A-Z',
  'Must contain a lowercase letter a-z': 'Musi zawierać małą literę a-z',
  'Must contain a digit #-#': 'Musi zawierać cyfrę #-#',
  'Must contain a special character of !@#$%^&*': 'Musi zawierać znak specjalny spośród !@#$%^&*',
  'Must not be a common password': 'Nie może być często używanym hasłem',
  'Must be # to # characters of a-z, #-#, _ . -': 'Musi mieć od # do # znaków spośród a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Musi mieć od # do # znaków spośród a-z, #-# i _',
  'Invalid email address': 'Nieprawidłowy adres e-mail',
  'Must be # digits': 'Liczba cyfr musi wynosić #',
  'Must be # letters and digits, as they were shown': 'Liczba liter i cyfr musi wynosić #, tak jak zostały pokazane',
  'Must be an http or https URL': 'Musi być adresem http lub https',
  'Must be a URL': 'Musi być adresem (URL)',
  'Must be at most # bytes': 'Może mieć najwyżej # bytes',
  'At least one field is required': 'Potrzebne jest co najmniej jedno pole',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Długość musi wynosić od # do # znaków, chyba że wiadomość zawiera pliki lub przekazuje inną',
  'Too small: expected number to be >=#': 'Musi wynosić co najmniej #',
  'Too big: expected number to be <=#': 'Może wynosić najwyżej #',
  'At most # words and phrases': 'Najwyżej # słów i wyrażeń',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Podaj słowo albo zawęź wyszukiwanie przez miejsce, autora, czas lub inny filtr',
  'Must be in the future': 'Musi być w przyszłości',
  'Must be within # days': 'Musi przypadać w ciągu # dni',
  'Must have at most # KiB': 'Może mieć najwyżej # KiB',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Nieuszkodzony obraz PNG, WebP lub GIF o rozmiarze najwyżej # KiB, albo AVIF, jeśli system go odczytuje',
} satisfies Record<Rule, string>
