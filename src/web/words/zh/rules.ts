// Printed from locales/zh/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': '长度须为 # 到 # 个字符',
  'Must be at least # characters long': '长度至少 # 个字符',
  'Must be at most # characters long': '长度最多 # 个字符',
  'Must not be blank': '不能只有空白',
  'Must not be empty': '不能为空',
  'Must not contain control characters': '不能包含控制字符',
  'Must not contain more than # combining marks in a row': '连续的组合符号不能超过 # 个',
  'Must not contain endless combining marks': '不能包含无限叠加的组合符号',
  'Must contain an uppercase letter A-Z': '须包含一个大写字母 A-Z',
  'Must contain a lowercase letter a-z': '须包含一个小写字母 a-z',
  'Must contain a digit #-#': '须包含一个数字 #-#',
  'Must contain a special character of !@#$%^&*': '须包含 !@#$%^&* 中的一个特殊字符',
  'Must not be a common password': '不能是常见密码',
  'Must be # to # characters of a-z, #-#, _ . -': '须为 # 到 # 个字符，只能用 a-z、#-#、_ . -',
  'Must be # to # of a-z, #-# and _': '须为 # 到 # 个字符，只能用 a-z、#-# 和 _',
  'Invalid email address': '电子邮件地址无效',
  'Must be # digits': '须为 # 位数字',
  'Must be # letters and digits, as they were shown': '须为 # 个字母和数字，与显示的一致',
  'Must be an http or https URL': '须为 http 或 https 网址',
  'Must be a URL': '须为网址 (URL)',
  'Must be at most # bytes': '最多 # 字节',
  'At least one field is required': '至少需要填写一项',
  'Must be # to # characters long, unless the message carries files or forwards':
    '长度须为 # 到 # 个字符，除非消息带有文件或转发',
  'Too small: expected number to be >=#': '不能小于 #',
  'Too big: expected number to be <=#': '不能大于 #',
  'At most # words and phrases': '最多 # 个词和短语',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    '请输入一个词，或用地点、作者、时间等条件缩小范围',
  'Must be in the future': '须在将来',
  'Must be within # days': '须在 # 天之内',
  'Must have at most # KiB': '最多 # KiB',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    '完好的 PNG、WebP 或 GIF，最多 # KiB；系统能读取时也可用 AVIF',
} satisfies Record<Rule, string>
