// Runs that are known already, done again in the simulator: why a verdict is what it is, a scenario, a recorded trace.
import { useState } from "preact/hooks";
import type { Asked } from "../../protocol";
import type { Replay } from "./simulation";

export function ReplayView({ asked, replay }: { asked: Asked[]; replay: (what: Replay) => void }) {
  const [chosen, setChosen] = useState("");
  const name = asked.some((each) => each.name === chosen) ? chosen : (asked[0]?.name ?? "");
  const play = (): void => {
    const what = asked.find((each) => each.name === name);
    if (what) replay(what.isScenario ? { scenario: name } : { property: name });
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (file) replay({ itf: await file.text() });
  };
  const properties = asked.filter((each) => !each.isScenario);
  const scenarios = asked.filter((each) => each.isScenario);
  return (
    <div class="row wrap">
      {asked.length > 0 && (
        <>
          <label>Replay{" "}
            <select value={name} onChange={(event) => setChosen(event.currentTarget.value)}>
              {properties.length > 0 && <optgroup label="Why a property is true or false">{properties.map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}</optgroup>}
              {scenarios.length > 0 && <optgroup label="Scenarios">{scenarios.map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}</optgroup>}
            </select>
          </label>
          <button type="button" class="button" onClick={play}>Replay</button>
        </>
      )}
      <label class="file-choice">Replay a trace (ITF){" "}
        <input type="file" accept=".json,.itf" onChange={(event) => { void read(event.currentTarget.files?.[0]); event.currentTarget.value = ""; }} />
      </label>
    </div>
  );
}
