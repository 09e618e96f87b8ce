import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'الإبلاغ عن الرسالة',
  reportProfile: 'الإبلاغ عن الملف الشخصي',
  reason: 'السبب',
  note: 'ماذا ينبغي أن يعرفوا؟ (اختياري)',
  readers: 'من ينبغي أن يقرأه؟',
  toModerators: (server) => `مشرفو ${server}`,
  toOperator: 'مشغّل هذه الخدمة فقط',
  readByModerators: (server) =>
    `يقرؤه مشرفو ${server} الأعلى رتبة من هذا العضو والقادرون على قراءة هذه القناة. يرون من أبلغ.`,
  readByOperator: 'لا يقرؤه إلا مشغّل هذه الخدمة، وليس المشرفون. يرى من أبلغ.',
  kept: 'يحصلون على النص والرسائل الخمس السابقة والملفات كما هي الآن.',
  keptProfile: 'يحصلون على الأسماء والصورة كما هي الآن.',
  send: 'إرسال البلاغ',
  sent: 'أُرسل بلاغك. شكرًا لك.',
  reasons: {
    spam: 'رسائل مزعجة أو إعلانات',
    harassment: 'مضايقة أو تنمّر',
    hate: 'كراهية ضد جماعة',
    violence: 'عنف أو تهديد',
    sexual: 'محتوى جنسي غير مرغوب فيه',
    minor_safety: 'أذى لقاصر',
    self_harm: 'إيذاء النفس أو الانتحار',
    illegal: 'أمر غير قانوني',
    impersonation: 'انتحال شخصية',
    other: 'أمر آخر',
  },
} satisfies typeof moderationWords
