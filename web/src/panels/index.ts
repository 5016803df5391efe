// The panels of the workbench, in the order of their tabs.
import { audit } from "./audit/panel";
import { chart } from "./chart";
import { formulaPanel } from "./formula/panel";
import { graphPanel } from "./graph/panel";
import { knowledge } from "./knowledge/panel";
import type { Panel } from "./panel";
import { properties } from "./properties";
import { simulator } from "./simulator/panel";

export const PANELS: Panel[] = [
  properties,
  chart,
  simulator,
  graphPanel,
  knowledge,
  formulaPanel,
  audit,
];
