/** What happened at a table beside the moves, told in words to everybody who is there. */
import { t } from "$lib/text/i18n";
import { namesAt } from "./tables";
import type { Seat, TableInfo } from "$lib/wire";

export function newsOf(before: TableInfo, after: TableInfo): string[] {
  const told = refusal(before, after);
  if (after.status !== "running") return told;
  const names = namesAt(after);
  return [
    ...told,
    ...after.seats.flatMap((seat) => {
      const was = before.seats[seat.seat];
      const words = was ? changeOf(was, seat, names[seat.seat] ?? "") : null;
      return words ? [words] : [];
    }),
  ];
}

/** The player who said no knows it already. */
function refusal(before: TableInfo, { refused, seats }: TableInfo): string[] {
  if (!refused || refused.number === before.refused?.number || seats[refused.seat]?.mine) return [];
  const name = namesAt({ seats } as TableInfo)[refused.seat] ?? "";
  return [t(`told.refused.${refused.what}`, { name })];
}

function changeOf(was: Seat, is: Seat, name: string): string | null {
  const mine = is.mine ? ".mine" : "";
  if (is.out_of_time && !was.out_of_time)
    return t(is.may_return ? `told.late${mine}` : `told.lost-on-time${mine}`, { name });
  if (is.mine) return null; // what I did myself
  if (is.resigned && !was.resigned) return t("told.resigned", { name });
  if (is.stand_in && !was.stand_in) return t("told.left", { name });
  if (!is.stand_in && was.stand_in) return t("told.back", { name });
  return null;
}
