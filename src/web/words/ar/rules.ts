// Printed from locales/ar/rules.json. After a change there: bun run words
import type { Rule } from '../rules.ts'

export default {
  'Must be # to # characters long': 'يجب أن يكون الطول من # إلى # حرفًا',
  'Must be at least # characters long': 'يجب ألا يقل الطول عن # حرفًا',
  'Must be at most # characters long': 'يجب ألا يزيد الطول على # حرفًا',
  'Must not be blank': 'لا يمكن أن يتكوّن من فراغات فقط',
  'Must not be empty': 'لا يمكن أن يكون فارغًا',
  'Must not contain control characters': 'لا يمكن أن يحتوي على أحرف تحكّم',
  'Must not contain more than # combining marks in a row': 'لا يمكن أن يحتوي على أكثر من # علامة تشكيل متتالية',
  'Must not contain endless combining marks': 'لا يمكن أن يحتوي على علامات تشكيل متتالية بلا نهاية',
  'Must contain an uppercase letter A-Z': 'يجب أن يحتوي على حرف كبير A-Z',
  'Must contain a lowercase letter a-z': 'يجب أن يحتوي على حرف صغير a-z',
  'Must contain a digit #-#': 'يجب أن يحتوي على رقم من # إلى #',
  'Must contain a special character of !@#$%^&*': 'يجب أن يحتوي على أحد الرموز !@#$%^&*',
  'Must not be a common password': 'لا يمكن أن تكون كلمة مرور شائعة',
  'Must be # to # characters of a-z, #-#, _ . -': 'يجب أن يتكوّن من # إلى # حرفًا من a-z و#-# و_ . -',
  'Must be # to # of a-z, #-# and _': 'يجب أن يتكوّن من # إلى # حرفًا من a-z و#-# و_',
  'Invalid email address': 'عنوان بريد إلكتروني غير صالح',
  'Must be # digits': 'يجب أن يكون عدد الأرقام #',
  'Must be # letters and digits, as they were shown': 'يجب أن يكون عدد الأحرف والأرقام # كما عُرضت',
  'Must be an http or https URL': 'يجب أن يكون عنوان http أو https',
  'Must be a URL': 'يجب أن يكون عنوان ويب (URL)',
  'Must be at most # bytes': 'يجب ألا يزيد الحجم على # بايت',
  'At least one field is required': 'يلزم حقل واحد على الأقل',
  'Must be # to # characters long, unless the message carries files or forwards':
    'يجب أن يكون الطول من # إلى # حرفًا، ما لم تحمل الرسالة ملفات أو تعِد توجيه رسالة أخرى',
  'Too small: expected number to be >=#': 'يجب ألا يقل عن #',
  'Too big: expected number to be <=#': 'يجب ألا يزيد على #',
  'At most # words and phrases': 'بحد أقصى # كلمة وعبارة',
  'Ask for a word, or narrow the search by a place, an author, a time or another filter':
    'ابحث عن كلمة، أو ضيّق البحث بمكان أو كاتب أو وقت أو مرشّح آخر',
  'Must be in the future': 'يجب أن يكون في المستقبل',
  'Must be within # days': 'يجب أن يكون خلال # يومًا',
  'Must have at most # KiB': 'يجب ألا يزيد الحجم على # كيبيبايت',
  'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it':
    'صورة PNG أو WebP أو GIF سليمة لا يزيد حجمها على # كيبيبايت، أو AVIF إن كان النظام يقرؤها',
} satisfies Record<Rule, string>
