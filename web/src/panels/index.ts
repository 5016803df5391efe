// The panels of the workbench, in the order of their tabs.
import { chart } from "./chart";
import type { Panel } from "./panel";
import { properties } from "./properties";
import { simulator } from "./simulator/panel";

export const PANELS: Panel[] = [
  properties,
  chart,
  simulator,
];
