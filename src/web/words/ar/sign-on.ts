// Printed from locales/ar/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `تسجيل الدخول عبر ${name}`,
  problems: {
    login_expired: 'استغرق هذا وقتًا طويلًا، أو بدأ في نافذة أخرى. حاول مجددًا.',
    oidc_failed: 'فشل تسجيل الدخول في الخدمة الأخرى. حاول مجددًا، أو اسأل مشغّل هذا الخادم.',
    email_taken: 'يستخدم حساب هنا بريدك الإلكتروني بالفعل. سجّل الدخول إليه واربطه في إعدادات الأمان.',
    forbidden: 'لا حساب لك هنا، ولا يمكن إنشاء حسابات جديدة بهذه الطريقة.',
    identity_taken: 'تسجيل الدخول هذا مرتبط بحساب آخر بالفعل.',
    identity_linked: 'حسابك مرتبط بالفعل.',
    token_revoked: 'انتهت جلستك. سجّل الدخول مجددًا.',
    unavailable: 'لا يستجيب خادم تسجيل الدخول. حاول مجددًا بعد لحظة.',
    last_way_in: 'هذه طريقتك الوحيدة لتسجيل الدخول. عيّن كلمة مرور أو أضف مفتاح مرور أولًا.',
  },
  linked: 'رُبط حسابك',
  proven: 'شكرًا. تابع ما كنت تفعله. لن تُسأل مجددًا لعشر دقائق.',
  title: 'الدخول الموحد',
  text: (name) => `سجّل الدخول هنا عبر ${name} بلا كلمة مرور.`,
  link: (name) => `الربط مع ${name}`,
  since: (time) => `رُبط ${time}`,
  used: (time) => `آخر استخدام ${time}`,
  unlink: 'إلغاء الربط',
  unlinkOf: (name) => `إلغاء الربط مع ${name}`,
  unlinkText: (name) => `لن يمكنك تسجيل الدخول هنا عبر ${name} بعد الآن.`,
} satisfies typeof signOnWords
