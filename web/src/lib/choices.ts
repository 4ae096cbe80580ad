// Choices of the server: what may be done now, each with the command to send back.
import type { Schemas, TableCommand } from "./api";
import type { Area } from "./game";

export type Choice = Schemas["Choice_TableCommand"];
export type HouseChoice = Schemas["Choice_HouseCommand"];
export type DeskChoice = Schemas["Choice_DeskCommand"];
export type CommandName = TableCommand["do"];

/** A command of one name. */
export type Command<Name extends CommandName> = Extract<TableCommand, { do: Name }>;

interface About {
  position?: number | undefined;
  area?: Area | undefined;
  player?: string | undefined;
}

/** The position, area and Player that a command names. */
export function about(command: object): About {
  const { position, area, player, owner } = command as About & { owner?: string };
  return { position, area, player: player ?? owner };
}

/** The choices for a command of this name, at this position. */
export function choicesFor(choices: readonly Choice[], name: CommandName, position?: number): Choice[] {
  return choices.filter(
    ({ command }) => command.do === name && (position === undefined || about(command).position === position),
  );
}

export const choiceFor = (choices: readonly Choice[], name: CommandName, position?: number): Choice | undefined =>
  choicesFor(choices, name, position)[0];

/** Whether two choices send the same command. */
export const isSame = (one: Choice, other: Choice): boolean =>
  JSON.stringify(one.command) === JSON.stringify(other.command);

/** The command of a choice, with the fields filled in that the server leaves to the sender. */
export const fill = <C extends object>(choice: { command: C }, fields: object): C => ({ ...choice.command, ...fields });

/** What a choice is called where several are listed: with its position or Player. */
export function fullLabel(choice: Choice): string {
  const { position, player } = about(choice.command);
  if (position !== undefined) return `${choice.label} · position ${position}`;
  return player === undefined ? choice.label : `${choice.label} · ${player}`;
}

/** The kind of proposal that a choice makes. */
export const proposalKind = ({ command }: HouseChoice): Schemas["Proposal"]["kind"] | undefined =>
  command.do === "propose" ? command.proposal.kind : undefined;
