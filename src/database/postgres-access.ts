import { chmodSync, chownSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ROLE, type Database, openDatabase, SUPERUSER } from './database.ts'
import { isRoot, type PostgresUser, userName } from './postgres-user.ts'

/**
 * Writes the access files: only this process's user and root may connect, as verified by the operating system. The
 * files lie next to the cluster, where PostgreSQL cannot change them; those that initdb made inside are ignored.
 * @returns settings of PostgreSQL
 */
export function writeAccessFiles(home: string, { gid }: PostgresUser): { hba_file: string; ident_file: string } {
  const name = userName()
  const roles = [SUPERUSER, APP_ROLE]
  // `peer` needs a user name. Without one, the permissions of the socket's directory keep everyone else out.
  const method = name === undefined ? 'trust' : 'peer map=parley'
  const idents = [...new Set([name, 'root'])].flatMap((user) =>
    user === undefined ? [] : roles.map((role) => `parley "${user}" ${role}`),
  )
  const files = { hba_file: join(home, 'pg_hba.conf'), ident_file: join(home, 'pg_ident.conf') }
  const write = (path: string, lines: string[]) => {
    writeFileSync(`${path}.new`, `# Written by Parley at each start.\n${lines.join('\n')}\n`)
    // chmod overrides the umask: PostgreSQL reads the file as a member of the group.
    chmodSync(`${path}.new`, 0o640)
    if (isRoot) chownSync(`${path}.new`, 0, gid)
    renameSync(`${path}.new`, path)
  }
  write(files.hba_file, [`local all ${roles.join(',')} ${method}`])
  write(files.ident_file, idents)
  return files
}

/**
 * Creates the application's role and database, and gives the role objects that a released version or a restore created
 * as another role.
 */
export async function prepareDatabase(socket: string, superuser: Database): Promise<void> {
  const sql = openDatabase({ socket, role: SUPERUSER }, 1, 'parley-instance')
  // Opens the connection early. At the first start the database does not exist yet.
  const connecting = sql`select`.catch(() => {})
  try {
    // Null if absent.
    const [is] = await superuser<{ weak: boolean | null; owner: boolean | null }[]>`select
      (select rolcanlogin and not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
        from pg_roles where rolname = ${APP_ROLE}) as weak,
      (select pg_get_userbyid(datdba) = ${APP_ROLE} from pg_database where datname = 'parley') as owner`
    if (!is?.weak)
      await superuser.unsafe(`${is?.weak === false ? 'alter' : 'create'} role ${APP_ROLE}
        login nosuperuser nocreaterole nocreatedb noreplication nobypassrls`)
    if (is?.owner === false) await superuser.unsafe(`alter database parley owner to ${APP_ROLE}`)
    await connecting
    if (is?.owner === null) await superuser.unsafe(`create database parley owner ${APP_ROLE}`)
    else await sql.unsafe(TAKE_OVER)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Transfers every object of the bootstrap superuser to the application's role, because `reassign owned` refuses for
 * that superuser. Objects of extensions stay; owned sequences, row types and indexes follow their table.
 */
const TAKE_OVER = `do $$
declare statement text;
begin
  for statement in
    with mine as (select oid from pg_roles where rolname = '${SUPERUSER}'),
    places as (select oid, nspname, nspowner from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'),
    dependent as (select classid, objid from pg_depend where deptype = 'e'
      or deptype in ('a', 'i') and classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass)
    select format('schema %I', nspname) from places where nspowner in (table mine)
    union all
    select format('%s %s', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
      when 'f' then 'foreign table' else 'table' end, c.oid::regclass)
      from pg_class c join places p on p.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and relowner in (table mine)
        and (relkind <> 'S' or ('pg_class'::regclass, c.oid) not in (table dependent))
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    union all
    select format('routine %s', f.oid::regprocedure) from pg_proc f join places p on p.oid = pronamespace
      where prokind <> 'a' and proowner in (table mine) and ('pg_proc'::regclass, f.oid) not in (table dependent)
    union all
    select format('aggregate %s', f.oid::regprocedure) from pg_proc f join places p on p.oid = pronamespace
      where prokind = 'a' and proowner in (table mine) and ('pg_proc'::regclass, f.oid) not in (table dependent)
    union all
    select format('type %s', t.oid::regtype) from pg_type t join places p on p.oid = typnamespace
      where (typtype in ('e', 'd', 'r') or typtype = 'c' and exists (
        select from pg_class where pg_class.oid = typrelid and relkind = 'c'))
        and typowner in (table mine) and ('pg_type'::regclass, t.oid) not in (table dependent)
  loop
    execute format('alter %s owner to ${APP_ROLE}', statement);
  end loop;
end $$`
