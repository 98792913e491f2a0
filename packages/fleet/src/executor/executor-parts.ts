// What a machine is made of, and what it knows of a caller that it lets in.

import type { BrokerLink } from '../broker/broker-link.js';
import type { OpenRequest } from '../channel/opening.js';
import type { Caller, Subjects } from '../naming/subjects.js';
import type { OpenSpan, OpenSpans } from '../spans/open-spans.js';
import type { Admitted } from './admission.js';

export interface ExecutorParts {
  readonly link: BrokerLink;
  readonly subjects: Subjects;
  readonly name: string;
  readonly spans: OpenSpans;
}

export interface Opening {
  readonly caller: Caller;
  readonly request: OpenRequest;
  readonly reply: string;
  readonly admitted: Admitted;
  readonly resumes: boolean;
  readonly span: OpenSpan;
}
