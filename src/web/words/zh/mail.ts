// Printed from locales/zh/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: '重置密码',
    text: '输入你账号的电子邮件地址。你会收到用于设置新密码的链接。',
    send: '发送链接',
    sent: '如果有账号使用此地址，链接很快就会送达。有效期一小时。',
  },
  reset: {
    title: '设置新密码',
    text: '你将在所有设备上退出登录。之后请用新密码登录。',
    save: '设置密码',
    done: '密码已更改，你已在所有设备上退出登录。',
  },
  verify: {
    title: '确认你的电子邮件地址',
    text: '如果你没有在这里创建账号，请关闭此页面。首次确认会移除此前添加的所有双重验证方式、通行密钥、关联身份和机器人。',
    confirm: '确认此地址',
    done: '地址已确认。',
    taken: '另一个账号已在使用此地址。',
    go: '继续',
  },
  confirmFirst: {
    title: '确认你的电子邮件地址',
    text: (email) => `已向 ${email} 发送链接。打开它以继续。`,
    done: '我已确认',
    notYet: '地址尚未确认。',
  },
  own: {
    title: '电子邮件',
    current: '你的地址',
    confirmed: '已确认',
    unconfirmed: '未确认',
    resend: '重新发送确认邮件',
    resent: '已向你的地址发送链接。',
    next: '新的电子邮件地址',
    hint: '你会在新地址收到一个链接。打开链接后，新地址会替换旧地址。',
    change: '更改地址',
    changing: '已向新地址发送链接。',
  },
  linkGone: '此链接已过期或已使用。请索要新链接。',
  backToLogin: '返回登录',
} satisfies typeof mailWords
