import type { importWords } from '../imports.ts'

export default {
  title: 'استعد رسائلك',
  text:
    'الرسائل المنقولة من مكان آخر تصبح لك مع ملفاتها وتفاعلاتها. تبقى الأدوار والصلاحيات كما هي. لا ' + 'يمكن التراجع.',
  take: 'هي لي',
  taken: 'تصبح لك خلال دقائق.',
  gone: 'انتهت صلاحية الرابط، أو استُخدم، أو أُنشئ لحساب آخر.',
  go: 'متابعة',
} satisfies typeof importWords
