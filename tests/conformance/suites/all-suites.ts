// Loads every suite, which registers its checks. The order here is the order of a run.
import './session-handshake.js';
import './session-stray.js';
import './session-resume.js';
import './session-detach.js';
import './envelope.js';
import './envelope-malformed.js';
import './environment.js';
import './transport-http.js';
import './transport-frames.js';
import './transport-connections.js';
import './transport-program.js';
