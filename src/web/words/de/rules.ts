// Printed from locales/de/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Muss # bis # Zeichen lang sein',
  'Must be at least # characters long': 'Muss mindestens # Zeichen lang sein',
  'Must be at most # characters long': 'Darf höchstens # Zeichen lang sein',
  'Must not be blank': 'Darf nicht nur aus Leerraum bestehen',
  'Must not be empty': 'Darf nicht leer sein',
  'Must not contain control characters': 'Darf keine Steuerzeichen enthalten',
  'Must not contain more than # combining marks in a row':
    'Darf nicht mehr als # kombinierende Zeichen hintereinander enthalten',
  'Must not contain endless combining marks': 'Darf nicht endlos kombinierende Zeichen enthalten',
  'Must contain an uppercase letter A-Z': 'Muss einen Großbuchstaben A-Z enthalten',
  'Must contain a lowercase letter a-z': 'Muss einen Kleinbuchstaben a-z enthalten',
  'Must contain a digit #-#': 'Muss eine Ziffer #-# enthalten',
  'Must contain a special character of !@#$%^&*': 'Muss eines der Sonderzeichen !@#$%^&* enthalten',
  'Must not be a common password': 'Darf kein häufiges Passwort sein',
  'Must be # to # characters of a-z, #-#, _ . -': 'Muss aus # bis # Zeichen von a-z, #-#, _ . - bestehen',
  'Must be # to # of a-z, #-# and _': 'Muss aus # bis # Zeichen von a-z, #-# und _ bestehen',
  'Invalid email address': 'Keine gültige E-Mail-Adresse',
  'Must be # digits': 'Muss aus # Ziffern bestehen',
  'Must be # letters and digits, as they were shown':
    'Muss aus # Buchstaben und Ziffern bestehen, wie sie gezeigt wurden',
  'Must be an http or https URL': 'Muss eine http- oder https-Adresse sein',
  'Must be a URL': 'Muss eine Adresse (URL) sein',
  'Must be at most # bytes': 'Darf höchstens # bytes haben',
  'At least one field is required': 'Mindestens eine Angabe ist nötig',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Muss # bis # Zeichen lang sein, außer die Nachricht enthält Dateien oder leitet weiter',
  'Too small: expected number to be >=#': 'Muss mindestens # sein',
  'Too big: expected number to be <=#': 'Darf höchstens # sein',
  'At most # words and phrases': 'Höchstens # Wörter und Wendungen',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Suche nach einem Wort, oder grenze die Suche durch Ort, Verfasser, Zeit oder einen anderen Filter ein',
  'Must be in the future': 'Muss in der Zukunft liegen',
  'Must be within # days': 'Muss innerhalb von # Tagen liegen',
  'Must have at most # KiB': 'Darf höchstens # KiB haben',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Ein unbeschädigtes PNG, WebP oder GIF mit höchstens # KiB, oder AVIF, wo das System es lesen kann',
} satisfies Record<Rule, string>
