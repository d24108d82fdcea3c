/** What every way to a table has in common, whatever carries its messages. */
import type { Incoming, Outgoing } from "$lib/wire";

export interface Line {
  /** Sends if the line is up. What was not sent is for the caller to repeat when it is. */
  send(command: Incoming): boolean;
  /** The player looks at the page again: is there anything new? */
  wake(): void;
  close(): void;
}

export interface LineEvents {
  /** The other end has answered: from now on messages go both ways. */
  onUp(): void;
  onMessage(message: Outgoing): void;
  /** The line is lost; with what the server said when it closed it, if it said anything. */
  onDown(closed?: Closing): void;
}

/** The end of a socket: a code of RFC 6455 and the server's reason. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

const LASTING = new Set(["ban-in-force", "no-table", "old-rules", "quarantined", "signed-out", "update-server"]);

/** Whether asking again cannot help: the page says why instead. */
export const isLasting = (code: string): boolean => LASTING.has(code);
