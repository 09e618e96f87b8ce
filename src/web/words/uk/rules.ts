// Printed from locales/uk/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Довжина має бути від # до # символів',
  'Must be at least # characters long': 'Довжина має бути не менше # символів',
  'Must be at most # characters long': 'Довжина має бути не більше # символів',
  'Must not be blank': 'Не може складатися лише з пробілів',
  'Must not be empty': 'Не може бути порожнім',
  'Must not contain control characters': 'Не може містити керівних символів',
  'Must not contain more than # combining marks in a row': 'Не може містити більше # комбінованих знаків поспіль',
  'Must not contain endless combining marks': 'Не може містити нескінченних рядів комбінованих знаків',
  'Must contain an uppercase letter A-Z': 'Потрібна велика літера A-Z',
  'Must contain a lowercase letter a-z': 'Потрібна мала літера a-z',
  'Must contain a digit #-#': 'Потрібна цифра #-#',
  'Must contain a special character of !@#$%^&*': 'Потрібен один з особливих знаків !@#$%^&*',
  'Must not be a common password': 'Цей пароль надто поширений',
  'Must be # to # characters of a-z, #-#, _ . -': 'Потрібно від # до # символів з a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Потрібно від # до # символів з a-z, #-# і _',
  'Invalid email address': 'Неправильна адреса електронної пошти',
  'Must be # digits': 'Кількість цифр має бути #',
  'Must be # letters and digits, as they were shown': 'Кількість літер і цифр має бути #, як їх було показано',
  'Must be an http or https URL': 'Потрібна адреса http або https',
  'Must be a URL': 'Потрібна адреса (URL)',
  'Must be at most # bytes': 'Розмір не більше # байтів',
  'At least one field is required': 'Потрібне хоча б одне поле',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Довжина має бути від # до # символів, якщо в повідомленні немає файлів і воно не пересилає інше',
  'Too small: expected number to be >=#': 'Не менше #',
  'Too big: expected number to be <=#': 'Не більше #',
  'At most # words and phrases': 'Не більше # слів і фраз',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Введіть слово або звузьте пошук місцем, автором, часом чи іншим фільтром',
  'Must be in the future': 'Час має бути в майбутньому',
  'Must be within # days': 'Термін не більше # дн.',
  'Must have at most # KiB': 'Розмір не більше # КіБ',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Неушкоджений PNG, WebP або GIF розміром не більше # КіБ чи AVIF, якщо система його читає',
} satisfies Record<Rule, string>
