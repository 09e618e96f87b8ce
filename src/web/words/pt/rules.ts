// Printed from locales/pt/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'Deve ter de # a # caracteres',
  'Must be at least # characters long': 'Deve ter pelo menos # caracteres',
  'Must be at most # characters long': 'Deve ter no máximo # caracteres',
  'Must not be blank': 'Não pode ficar em branco',
  'Must not be empty': 'Não pode ficar vazio',
  'Must not contain control characters': 'Não pode conter caracteres de controle',
  'Must not contain more than # combining marks in a row': 'Não pode conter mais de # sinais combinantes seguidos',
  'Must not contain endless combining marks': 'Não pode conter uma série sem fim de sinais combinantes',
  'Must contain an uppercase letter A-Z': 'Deve conter uma letra maiúscula A-Z',
  'Must contain a lowercase letter a-z': 'Deve conter uma letra minúscula a-z',
  'Must contain a digit #-#': 'Deve conter um dígito #-#',
  'Must contain a special character of !@#$%^&*': 'Deve conter um caractere especial de !@#$%^&*',
  'Must not be a common password': 'Não pode ser uma senha comum',
  'Must be # to # characters of a-z, #-#, _ . -': 'Deve ter de # a # caracteres de a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': 'Deve ter de # a # caracteres de a-z, #-# e _',
  'Invalid email address': 'Endereço de e-mail inválido',
  'Must be # digits': 'Deve ter # dígitos',
  'Must be # letters and digits, as they were shown': 'Deve ter # letras e dígitos, como foram mostrados',
  'Must be an http or https URL': 'Deve ser um endereço http ou https',
  'Must be a URL': 'Deve ser um endereço (URL)',
  'Must be at most # bytes': 'Deve ter no máximo # bytes',
  'At least one field is required': 'É preciso pelo menos um campo',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Deve ter de # a # caracteres, a não ser que a mensagem leve arquivos ou encaminhe outra',
  'Too small: expected number to be >=#': 'Deve ser pelo menos #',
  'Too big: expected number to be <=#': 'Deve ser no máximo #',
  'At most # words and phrases': 'No máximo # palavras e expressões',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Procure uma palavra, ou restrinja a busca por lugar, autor, data ou outro filtro',
  'Must be in the future': 'Deve estar no futuro',
  'Must be within # days': 'Deve estar dentro de # dias',
  'Must have at most # KiB': 'Deve ter no máximo # KiB',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'Uma imagem PNG, WebP ou GIF intacta de no máximo # KiB, ou AVIF se o sistema a lê',
} satisfies Record<Rule, string>
