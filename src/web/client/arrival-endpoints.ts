import type { z } from 'zod'
import type { Claim, GuestRegistration, SignedIn } from '../../features/accounts/model.ts'
import type {
  Acceptance,
  Choice,
  Onboarding,
  OnboardingDraft,
  RulesDraft,
  ServerRules,
  Welcome,
  WelcomeDraft,
} from '../../features/arrival/model.ts'
import type { Template } from '../../features/templates/model.ts'
import type { Member } from '../../features/members/model.ts'

/** The endpoints of guests, and of what new members accept and choose. */
export interface ArrivalEndpoints {
  'POST /api/auth/register/guest': { body: z.input<typeof GuestRegistration>; answer: z.output<typeof SignedIn> }
  'POST /api/auth/register/claim': { body: z.input<typeof Claim>; answer: z.output<typeof SignedIn> }
  'GET /api/servers/:server_id/rules': { query: object; answer: ServerRules }
  'PUT /api/servers/:server_id/rules': { body: z.input<typeof RulesDraft>; answer: ServerRules }
  'GET /api/servers/:server_id/onboarding': { query: object; answer: Onboarding }
  'PUT /api/servers/:server_id/onboarding': { body: z.input<typeof OnboardingDraft>; answer: Onboarding }
  'PUT /api/servers/:server_id/members/@me/onboarding': { body: z.input<typeof Choice>; answer: Onboarding }
  'PUT /api/servers/:server_id/members/@me/roles/:role_id': { query: object; answer: Member }
  'DELETE /api/servers/:server_id/members/@me/roles/:role_id': { query: object; answer: void }
  'GET /api/servers/:server_id/template': { query: object; answer: Template }
  'GET /api/servers/:server_id/welcome': { query: object; answer: Welcome }
  'PUT /api/servers/:server_id/welcome': { body: z.input<typeof WelcomeDraft>; answer: Welcome }
  'PUT /api/servers/:server_id/members/@me/rules': { body: z.input<typeof Acceptance>; answer: Member }
}
