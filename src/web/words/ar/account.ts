// Printed from locales/ar/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'مرحبًا بعودتك',
    ended: 'أُنهيت جلستك من خلال جهاز آخر. سجّل الدخول للمتابعة. رسائلك التي لم تُرسل لا تزال هنا.',
    name: 'اسم المستخدم أو البريد الإلكتروني',
    username: 'اسم المستخدم',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    login: 'تسجيل الدخول',
    passkey: 'تسجيل الدخول بمفتاح مرور',
    register: 'إنشاء حساب',
    forgot: 'نسيت كلمة المرور؟',
    noAccount: 'ليس لديك حساب بعد؟',
    haveAccount: 'لديك حساب بالفعل؟',
    rulesTitle: 'المتطلبات',
    rules: {
      length: '12 حرفًا على الأقل',
      upper: 'حرف لاتيني كبير',
      lower: 'حرف لاتيني صغير',
      digit: 'رقم',
      special: 'أحد الرموز !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `تسجيل دخول جديد إلى حسابك: ${device}، من ${ip}. إن لم تكن أنت فأنهِ تلك الجلسة من الإعدادات.`,
  securityChanged: {
    totp_on: 'أُعدّ تطبيق مصادقة لحسابك.',
    totp_off: 'أُوقف تطبيق المصادقة لحسابك.',
    recovery_codes: 'أُنشئت رموز استرداد جديدة لحسابك.',
    passkey_added: 'أُضيف مفتاح مرور إلى حسابك.',
    passkey_removed: 'أُزيل مفتاح مرور من حسابك.',
    identity_linked: 'رُبط حسابك بالدخول الموحد.',
    identity_unlinked: 'أُلغي ربط حسابك بالدخول الموحد.',
  },
  unknownDevice: 'جهاز غير معروف',
} satisfies typeof accountWords
