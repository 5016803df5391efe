// What a panel has its job do: one at a time, and what an older one still says is not heard.
import { batch } from "@preact/signals";
import { describeEnd, type Job, type Jobs } from "../jobs";
import type { Event, Limits, Request, Say } from "../protocol";

/** What a panel's session needs of the page. */
export interface World { jobs: Pick<Jobs, "start">; limits(): Limits; announce(text: string): void }

export class Current {
  private job: Job | null = null;

  constructor(private readonly world: World) {}

  /** Begins a job in the place of the one before. `over` is told how it ended, in words where there is something to say. */
  start(request: Request, hear: (event: Event) => void, over: (said: string | null) => void): void {
    const job = this.world.jobs.start({ ...request, limits: this.world.limits() }, (event) => {
      if (this.job === job) batch(() => hear(event));
    });
    this.job = job;
    void job.ended.then((end) => {
      if (this.job !== job) return;
      this.job = null;
      batch(() => over(describeEnd(end)));
    });
  }

  /** Says something to the job; false where it is over. */
  say(say: Say): boolean {
    return this.job?.say(say) ?? false;
  }

  /** Asks the job to end; its end is told. */
  end(): void {
    this.job?.stop();
  }

  /** Ends the job and hears no more of it. */
  forget(): void {
    const { job } = this;
    this.job = null;
    job?.stop();
  }
}
