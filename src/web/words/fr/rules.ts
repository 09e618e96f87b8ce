// Printed from locales/fr/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Doit compter de # à # caractères',
  'Must be at least # characters long': 'Doit compter au moins # caractères',
  'Must be at most # characters long': 'Doit compter au plus # caractères',
  'Must not be blank': 'Ne doit pas être composé seulement d’espaces',
  'Must not be empty': 'Ne doit pas être vide',
  'Must not contain control characters': 'Ne doit pas contenir de caractères de contrôle',
  'Must not contain more than # combining marks in a row':
    'Ne doit pas contenir plus de # signes diacritiques à la suite',
  'Must not contain endless combining marks': 'Ne doit pas contenir de suite sans fin de signes diacritiques',
  'Must contain an uppercase letter A-Z': 'Doit contenir une majuscule A-Z',
  'Must contain a lowercase letter a-z': 'Doit contenir une minuscule a-z',
  'Must contain a digit #-#': 'Doit contenir un chiffre #-#',
  'Must contain a special character of !@#$%^&*': 'Doit contenir un caractère spécial parmi !@#$%^&*',
  'Must not be a common password': 'Ne doit pas être un mot de passe courant',
  'Must be # to # characters of a-z, #-#, _ . -': 'Doit compter de # à # caractères parmi a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Doit compter de # à # caractères parmi a-z, #-# et _',
  'Invalid email address': 'Adresse e-mail non valide',
  'Must be # digits': 'Doit compter # chiffres',
  'Must be # letters and digits, as they were shown': 'Doit compter # lettres et chiffres, tels qu’ils ont été montrés',
  'Must be an http or https URL': 'Doit être une adresse http ou https',
  'Must be a URL': 'Doit être une adresse (URL)',
  'Must be at most # bytes': 'Doit faire au plus # bytes',
  'At least one field is required': 'Au moins un champ est nécessaire',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Doit compter de # à # caractères, sauf si le message porte des fichiers ou en transfère un autre',
  'Too small: expected number to be >=#': 'Doit être au moins #',
  'Too big: expected number to be <=#': 'Doit être au plus #',
  'At most # words and phrases': 'Au plus # mots et expressions',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Cherche un mot, ou précise la recherche par un lieu, un auteur, une date ou un autre filtre',
  'Must be in the future': 'Doit être dans le futur',
  'Must be within # days': 'Doit être dans les # jours',
  'Must have at most # KiB': 'Doit faire au plus # Kio',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Une image PNG, WebP ou GIF intacte d’au plus # Kio, ou AVIF si le système la lit',
} satisfies Record<Rule, string>
