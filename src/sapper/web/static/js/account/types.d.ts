/** Responses of `/api/account`; see docs/http.md. */

export interface Passkey {
  id: string;
  device: string;
  created_ms: number;
  used_ms: number | null;
  locked_ms: number | null;
}

export interface Session {
  id: string;
  device: string;
  created_ms: number;
  seen_ms: number;
  current: boolean;
}

export interface Account {
  name: string;
  private: boolean;
  created_ms: number;
  rename_from_ms: number | null;
  passkeys: Passkey[];
  codes: number;
  identities: { issuer: string; subject: string }[];
  sessions: Session[];
}

export interface State {
  account: Account | null;
  problem: { message: string; address: string | null } | null;
  /** Name of the provider with which people sign in instead of with passkeys. */
  provider: string | null;
  signed_out: boolean;
  ban: { name: string; reason: string; since_ms: number; until_ms: number | null } | null;
}

/** A browser that returns from the provider: signed in, or with a ticket for choosing a name. */
export type Returned = { account: Account } | { account: null; ticket: string; name: string };

export interface Changed {
  account: Account;
  codes?: string[];
}
