// Printed from locales/tr/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': '# ile # karakter arasında olmalı',
  'Must be at least # characters long': 'En az # karakter olmalı',
  'Must be at most # characters long': 'En fazla # karakter olmalı',
  'Must not be blank': 'Yalnızca boşluk olamaz',
  'Must not be empty': 'Boş olamaz',
  'Must not contain control characters': 'Denetim karakteri içeremez',
  'Must not contain more than # combining marks in a row': 'Art arda #’dan fazla birleşen işaret içeremez',
  'Must not contain endless combining marks': 'Sonu gelmeyen birleşen işaretler içeremez',
  'Must contain an uppercase letter A-Z': 'Bir büyük harf (A-Z) içermeli',
  'Must contain a lowercase letter a-z': 'Bir küçük harf (a-z) içermeli',
  'Must contain a digit #-#': 'Bir rakam (#-#) içermeli',
  'Must contain a special character of !@#$%^&*': 'Şu özel karakterlerden birini içermeli: !@#$%^&*',
  'Must not be a common password': 'Yaygın bir parola olamaz',
  'Must be # to # characters of a-z, #-#, _ . -': '# ile # karakter arasında olmalı; yalnızca a-z, #-#, _ . -',
  'Must be # to # of a-z, #-# and _': '# ile # karakter arasında olmalı; yalnızca a-z, #-# ve _',
  'Invalid email address': 'Geçersiz e-posta adresi',
  'Must be # digits': '# rakam olmalı',
  'Must be # letters and digits, as they were shown': 'Gösterildiği gibi # harf ve rakam olmalı',
  'Must be an http or https URL': 'Bir http veya https adresi olmalı',
  'Must be a URL': 'Bir adres (URL) olmalı',
  'Must be at most # bytes': 'En fazla # bytes olmalı',
  'At least one field is required': 'En az bir alan gerekli',
  'Must be # to # characters long, unless the message carries files or forwards':
    'Mesajda dosya veya iletilen bir mesaj yoksa # ile # karakter arasında olmalı',
  'Too small: expected number to be >=#': 'En az # olmalı',
  'Too big: expected number to be <=#': 'En fazla # olmalı',
  'At most # words and phrases': 'En fazla # sözcük ve söz öbeği',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'Bir sözcük ara ya da aramayı yer, yazan, zaman veya başka bir süzgeçle daralt',
  'Must be in the future': 'Gelecekte olmalı',
  'Must be within # days': '# gün içinde olmalı',
  'Must have at most # KiB': 'En fazla # KiB olmalı',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'En fazla # KiB boyutunda, bozuk olmayan bir PNG, WebP veya GIF; ya da sistem okuyorsa AVIF',
} satisfies Record<Rule, string>
