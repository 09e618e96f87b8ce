// Printed from locales/pt/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Redefina sua senha',
    text: 'Informe o e-mail da sua conta. Você receberá um link para escolher uma nova senha.',
    send: 'Enviar link',
    sent: 'Se uma conta tem este endereço, um link está a caminho. Ele vale por uma hora.',
  },
  reset: {
    title: 'Escolha uma nova senha',
    text: 'Você sairá da conta em todos os lugares. Depois, entre com a nova senha.',
    save: 'Definir senha',
    done: 'Sua senha foi alterada, e você saiu da conta em todos os lugares.',
  },
  verify: {
    title: 'Confirme seu e-mail',
    text: 'Se você não criou uma conta aqui, feche esta página. A primeira confirmação remove todos os segundos fatores, chaves de acesso, identidades vinculadas e bots adicionados antes dela.',
    confirm: 'Confirmar este endereço',
    done: 'O endereço está confirmado.',
    taken: 'Outra conta já usa este endereço.',
    go: 'Continuar',
  },
  confirmFirst: {
    title: 'Confirme seu e-mail',
    text: (email) => `Um link está a caminho de ${email}. Abra-o para continuar.`,
    done: 'Já confirmei',
    notYet: 'O endereço ainda não está confirmado.',
  },
  own: {
    title: 'E-mail',
    current: 'Seu endereço',
    confirmed: 'confirmado',
    unconfirmed: 'não confirmado',
    resend: 'Reenviar confirmação',
    resent: 'Um link está a caminho do seu endereço.',
    next: 'Novo e-mail',
    hint: 'Você receberá um link no novo endereço. Ao abrir o link, o novo endereço substitui o antigo.',
    change: 'Alterar endereço',
    changing: 'Um link está a caminho do novo endereço.',
  },
  linkGone: 'Este link expirou ou já foi usado. Peça um novo.',
  backToLogin: 'Voltar ao login',
} satisfies typeof mailWords
