// Printed from locales/ar/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'الانضمام إلى المكالمات مكتومًا',
  mode: 'وضع الإدخال',
  modes: {
    open: 'مفعّل دائمًا',
    voice: 'نشاط الصوت',
    push: 'الضغط للتحدث',
  },
  key: 'مفتاح الضغط للتحدث',
  keyText: 'يعمل ما دامت هذه الصفحة نشطة. لا تعمل مفاتيح الحروف أثناء الكتابة.',
  press: 'اضغط مفتاحًا…',
  threshold: 'حساسية الإدخال',
  level: 'مستوى الإدخال',
  listen: 'اختبار الميكروفون',
  noise: 'كتم الضوضاء',
  noises: {
    off: 'معطّل',
    browser: 'المتصفح',
    rnnoise: 'RNNoise (أقوى، ويستهلك المعالج أكثر)',
  },
  echo: 'إلغاء الصدى',
  gain: 'التحكم التلقائي في مستوى الصوت',
  music: 'وضع الموسيقى',
  musicText: 'ستيريو بمعدل 128 كيلوبت/ث، دون معالجة للصوت. استخدم سماعات الرأس، وإلا سمع الآخرون صدى.',
  keys: 'مفاتيح أثناء المكالمة',
  noKey: 'بلا',
  keysText: 'اضغط مفتاحًا، مع Ctrl أو Alt أو Shift أو بدونها. مفتاح Backspace يمسحه.',
} satisfies typeof talkWords
