// What `servanda sim` says, as data. Its answers are text for people; this reads the lines whose form its documentation shows.

export interface Choice {
  number: number;
  label: string;
}

export interface Answer {
  /** The number of the present moment, where the answer says it. */
  moment?: number;
  /** The whole state, or the label of the step that led here. */
  heading?: string;
  changes: string[];
  watched: { number: number; text: string }[];
  choices: Choice[];
  /** Initial states are to be chosen. */
  choosing: boolean;
  /** Everything else: refusals, ends, deadlocks. */
  notes: string[];
}

export function readAnswer(text: string): Answer {
  const answer: Answer = { changes: [], watched: [], choices: [], choosing: false, notes: [] };
  for (const line of text.split("\n").filter((line) => line.trim())) {
    const choice = /^ {2}\[ *(\d+)\] (.*)$/.exec(line);
    const moment = /^(\d+): (.*)$/.exec(line);
    const watch = /^ {2}watch (\d+): (.*)$/.exec(line);
    if (choice) answer.choices.push({ number: Number(choice[1]), label: choice[2] });
    else if (moment) Object.assign(answer, { moment: Number(moment[1]), heading: moment[2], changes: [], watched: [], choices: [] });
    else if (watch) answer.watched.push({ number: Number(watch[1]), text: watch[2] });
    else if (/initial states; choose one$/.test(line)) Object.assign(answer, { choosing: true, notes: [...answer.notes, line] });
    else if (/^ {4}/.test(line) && answer.watched.length > 0) answer.watched[answer.watched.length - 1].text += `\n${line.trim()}`;
    else if (/^ {2}(?:nothing more happens here|nothing can happen here|and so on)/.test(line)) answer.notes.push(line.trim());
    else if (/^ {2}/.test(line) && answer.heading !== undefined && answer.choices.length === 0) answer.changes.push(line.trim());
    else answer.notes.push(line.trim());
  }
  return answer;
}
