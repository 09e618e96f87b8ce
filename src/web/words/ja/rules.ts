// Printed from locales/ja/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': '#〜#文字にしてください',
  'Must be at least # characters long': '#文字以上にしてください',
  'Must be at most # characters long': '#文字以内にしてください',
  'Must not be blank': '空白だけにはできません',
  'Must not be empty': '空にはできません',
  'Must not contain control characters': '制御文字は使えません',
  'Must not contain more than # combining marks in a row': '結合文字は続けて#個までです',
  'Must not contain endless combining marks': '結合文字を際限なく続けることはできません',
  'Must contain an uppercase letter A-Z': '英大文字 A-Z が必要です',
  'Must contain a lowercase letter a-z': '英小文字 a-z が必要です',
  'Must contain a digit #-#': '数字 #-# が必要です',
  'Must contain a special character of !@#$%^&*': '記号 !@#$%^&* のいずれかが必要です',
  'Must not be a common password': 'よく使われるパスワードは使えません',
  'Must be # to # characters of a-z, #-#, _ . -': '#〜#文字で、使えるのは a-z、#-#、_ . - です',
  'Must be # to # of a-z, #-# and _': '#〜#文字で、使えるのは a-z、#-#、_ です',
  'Invalid email address': 'メールアドレスが正しくありません',
  'Must be # digits': '#桁の数字を入力してください',
  'Must be # letters and digits, as they were shown': '表示されたとおりの英数字#文字を入力してください',
  'Must be an http or https URL': 'http または https のURLを入力してください',
  'Must be a URL': 'URLを入力してください',
  'Must be at most # bytes': '#バイト以内にしてください',
  'At least one field is required': '少なくとも1つの項目が必要です',
  'Must be # to # characters long, unless the message carries files or forwards':
    'ファイルや転送がないメッセージは#〜#文字にしてください',
  'Too small: expected number to be >=#': '#以上にしてください',
  'Too big: expected number to be <=#': '#以下にしてください',
  'At most # words and phrases': '語句は#個までです',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    '検索語を入力するか、場所、送信者、日時などで絞り込んでください',
  'Must be in the future': '未来の日時にしてください',
  'Must be within # days': '#日以内にしてください',
  'Must have at most # KiB': '# KiB 以内にしてください',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    '壊れていない # KiB 以内の PNG、WebP、GIF、またはシステムが読める AVIF を選んでください',
} satisfies Record<Rule, string>
