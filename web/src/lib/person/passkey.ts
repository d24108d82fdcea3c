/** Passkeys in this browser: made and used by the browser itself, handed to the server as JSON. */
import { api } from "$lib/net/api";
import type { Access, SignedIn } from "$lib/wire";

/** Sites that are named by a number have no passkeys. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis &&
  isSecureContext &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function" &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Null if the person thought better of it. */
export async function addPasskey(): Promise<Access | null> {
  const { options } = await api.passkeyToAdd();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await asked(navigator.credentials.create({ publicKey }));
  return made && api.addPasskey(made);
}

export async function signInByPasskey(): Promise<SignedIn | null> {
  const { options } = await api.passkeyToUse();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const used = await asked(navigator.credentials.get({ publicKey }));
  return used && api.usePasskey(used);
}

async function asked(answer: Promise<Credential | null>): Promise<Record<string, unknown> | null> {
  try {
    const credential = (await answer) as PublicKeyCredential | null;
    return credential && (credential.toJSON() as Record<string, unknown>);
  } catch (error) {
    if (error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "InvalidStateError"))
      return null;
    throw error;
  }
}
