// Printed from locales/es/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Debe tener de # a # caracteres',
  'Must be at least # characters long': 'Debe tener al menos # caracteres',
  'Must be at most # characters long': 'Debe tener como máximo # caracteres',
  'Must not be blank': 'No puede estar en blanco',
  'Must not be empty': 'No puede estar vacío',
  'Must not contain control characters': 'No puede contener caracteres de control',
  'Must not contain more than # combining marks in a row': 'No puede contener más de # signos combinables seguidos',
  'Must not contain endless combining marks': 'No puede contener una serie interminable de signos combinables',
  'Must contain an uppercase letter A-Z': 'Debe contener una mayúscula A-Z',
  'Must contain a lowercase letter a-z': 'Debe contener una minúscula a-z',
  'Must contain a digit #-#': 'Debe contener una cifra #-#',
  'Must contain a special character of !@#$%^&*': 'Debe contener un carácter especial de !@#$%^&*',
  'Must not be a common password': 'No puede ser una contraseña común',
  'Must be # to # characters of a-z, #-#, _ . -': 'Debe tener de # a # caracteres de a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Debe tener de # a # caracteres de a-z, #-# y _',
  'Invalid email address': 'Dirección de correo no válida',
  'Must be # digits': 'Debe tener # cifras',
  'Must be # letters and digits, as they were shown': 'Debe tener # letras y cifras, tal como se mostraron',
  'Must be an http or https URL': 'Debe ser una dirección http o https',
  'Must be a URL': 'Debe ser una dirección (URL)',
  'Must be at most # bytes': 'Debe tener como máximo # bytes',
  'At least one field is required': 'Hace falta al menos un campo',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Debe tener de # a # caracteres, salvo que el mensaje lleve archivos o reenvíe otro',
  'Too small: expected number to be >=#': 'Debe ser al menos #',
  'Too big: expected number to be <=#': 'Debe ser como máximo #',
  'At most # words and phrases': 'Como máximo # palabras y frases',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Busca una palabra o acota la búsqueda por lugar, autor, fecha u otro filtro',
  'Must be in the future': 'Debe estar en el futuro',
  'Must be within # days': 'Debe estar dentro de # días',
  'Must have at most # KiB': 'Debe tener como máximo # KiB',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Una imagen PNG, WebP o GIF intacta de # KiB como máximo, o AVIF si el sistema la lee',
} satisfies Record<Rule, string>
