/** What every way to a table has in common, whatever carries its messages. */
import type { Incoming, Outgoing } from "./wire";

export interface Line {
  /** Sends if the line is up. What was not sent is for the caller to repeat when it is. */
  send(command: Incoming): boolean;
  /** Somebody looks at the page again: is there anything new? */
  wake(): void;
  close(): void;
}

export interface LineEvents {
  /** The other end has answered: from now on messages go both ways. */
  onUp(): void;
  onMessage(message: Outgoing): void;
  onDown(): void;
}
