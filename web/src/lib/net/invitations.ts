/**
 * The invitations that this page has come by. They stay in memory, out of any address that is copied or stored; requests about a
 * private table carry them, so that an invited friend sees who sits there before joining.
 */
const SECRET = /^[A-Za-z0-9_-]{16,64}$/;
const known = new Map<string, string>();

/** The fragment of an invitation link; a jump within the page looks different. */
export const invitationIn = (fragment: string): string | null => (SECRET.test(fragment) ? fragment : null);

export function keepInvitation(table: string, invite: string): void {
  known.set(table, invite);
}

export const invitationTo = (table: string): string | null => known.get(table) ?? null;

/** The part of a query that names the invitation; empty if there is none. */
export function inviteQuery(table: string): string {
  const invite = invitationTo(table);
  return invite ? `invite=${invite}` : "";
}
