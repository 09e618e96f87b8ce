import { z } from 'zod'
import { Id, Time } from '../../core/schema.ts'

/** A sum of permission bits (src/core/permissions.ts). */
export const PermissionSum = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const Role = z
  .object({
    id: Id,
    server_id: Id,
    name: z.string(),
    color: z.string().nullable(),
    permissions: PermissionSum,
    position: z.int(),
    is_everyone: z.boolean(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Role' })
export type Role = z.infer<typeof Role>
