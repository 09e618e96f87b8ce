// Printed from locales/ru/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Длина должна быть от # до # символов',
  'Must be at least # characters long': 'Длина должна быть не меньше # символов',
  'Must be at most # characters long': 'Длина должна быть не больше # символов',
  'Must not be blank': 'Не может состоять из одних пробелов',
  'Must not be empty': 'Не может быть пустым',
  'Must not contain control characters': 'Не может содержать управляющие символы',
  'Must not contain more than # combining marks in a row': 'Не может содержать больше # комбинируемых знаков подряд',
  'Must not contain endless combining marks': 'Не может содержать бесконечные ряды комбинируемых знаков',
  'Must contain an uppercase letter A-Z': 'Нужна заглавная буква A-Z',
  'Must contain a lowercase letter a-z': 'Нужна строчная буква a-z',
  'Must contain a digit #-#': 'Нужна цифра #-#',
  'Must contain a special character of !@#$%^&*': 'Нужен один из особых знаков !@#$%^&*',
  'Must not be a common password': 'Этот пароль слишком распространён',
  'Must be # to # characters of a-z, #-#, _ . -': 'Нужно от # до # символов из a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Нужно от # до # символов из a-z, #-# и _',
  'Invalid email address': 'Неверный адрес электронной почты',
  'Must be # digits': 'Число цифр должно быть #',
  'Must be # letters and digits, as they were shown': 'Число букв и цифр должно быть #, как они были показаны',
  'Must be an http or https URL': 'Нужен адрес http или https',
  'Must be a URL': 'Нужен адрес (URL)',
  'Must be at most # bytes': 'Размер не больше # байт',
  'At least one field is required': 'Нужно хотя бы одно поле',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Длина должна быть от # до # символов, если в сообщении нет файлов и оно не пересылает другое',
  'Too small: expected number to be >=#': 'Не меньше #',
  'Too big: expected number to be <=#': 'Не больше #',
  'At most # words and phrases': 'Не больше # слов и фраз',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Введите слово или сузьте поиск местом, автором, временем или другим фильтром',
  'Must be in the future': 'Время должно быть в будущем',
  'Must be within # days': 'Срок не больше # дн.',
  'Must have at most # KiB': 'Размер не больше # КиБ',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Неповреждённый PNG, WebP или GIF размером не больше # КиБ либо AVIF, если система его читает',
} satisfies Record<Rule, string>
