import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __require = /* @__PURE__ */ ((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x, {
  get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
}) : x)(function(x) {
  if (typeof require !== "undefined") return require.apply(this, arguments);
  throw Error('Dynamic require of "' + x + '" is not supported');
});
var __commonJS = (cb, mod) => function __require2() {
  return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/constants.js
var require_constants = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/constants.js"(exports, module) {
    "use strict";
    var BINARY_TYPES = ["nodebuffer", "arraybuffer", "fragments"];
    var hasBlob = typeof Blob !== "undefined";
    if (hasBlob) BINARY_TYPES.push("blob");
    module.exports = {
      BINARY_TYPES,
      CLOSE_TIMEOUT: 3e4,
      EMPTY_BUFFER: Buffer.alloc(0),
      GUID: "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
      hasBlob,
      kForOnEventAttribute: /* @__PURE__ */ Symbol("kIsForOnEventAttribute"),
      kListener: /* @__PURE__ */ Symbol("kListener"),
      kStatusCode: /* @__PURE__ */ Symbol("status-code"),
      kWebSocket: /* @__PURE__ */ Symbol("websocket"),
      NOOP: () => {
      }
    };
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/buffer-util.js
var require_buffer_util = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/buffer-util.js"(exports, module) {
    "use strict";
    var { websocketMask, websocketUnmask } = __require("http");
    var { EMPTY_BUFFER } = require_constants();
    var FastBuffer = Buffer[Symbol.species];
    function concat2(list, totalLength) {
      if (list.length === 0) return EMPTY_BUFFER;
      if (list.length === 1) return list[0];
      const target = Buffer.allocUnsafe(totalLength);
      let offset = 0;
      for (let i = 0; i < list.length; i++) {
        const buf = list[i];
        target.set(buf, offset);
        offset += buf.length;
      }
      if (offset < totalLength) {
        return new FastBuffer(target.buffer, target.byteOffset, offset);
      }
      return target;
    }
    function _mask(source, mask, output2, offset, length) {
      for (let i = 0; i < length; i++) {
        output2[offset + i] = source[i] ^ mask[i & 3];
      }
    }
    function _unmask(buffer, mask) {
      for (let i = 0; i < buffer.length; i++) {
        buffer[i] ^= mask[i & 3];
      }
    }
    function toArrayBuffer(buf) {
      if (buf.length === buf.buffer.byteLength) {
        return buf.buffer;
      }
      return buf.buffer.slice(buf.byteOffset, buf.byteOffset + buf.length);
    }
    function toBuffer(data) {
      toBuffer.readOnly = true;
      if (Buffer.isBuffer(data)) return data;
      let buf;
      if (data instanceof ArrayBuffer) {
        buf = new FastBuffer(data);
      } else if (ArrayBuffer.isView(data)) {
        buf = new FastBuffer(data.buffer, data.byteOffset, data.byteLength);
      } else {
        buf = Buffer.from(data);
        toBuffer.readOnly = false;
      }
      return buf;
    }
    module.exports = {
      concat: concat2,
      mask: _mask,
      toArrayBuffer,
      toBuffer,
      unmask: _unmask
    };
    if (websocketMask) {
      module.exports.mask = function(source, mask, output2, offset, length) {
        if (length < 24) _mask(source, mask, output2, offset, length);
        else websocketMask(source, mask, output2, offset, length);
      };
      module.exports.unmask = function(buffer, mask) {
        if (buffer.length < 24) _unmask(buffer, mask);
        else websocketUnmask(buffer, mask);
      };
    } else if (!process.env.WS_NO_BUFFER_UTIL) {
      try {
        const bufferUtil = __require("bufferutil");
        module.exports.mask = function(source, mask, output2, offset, length) {
          if (length < 48) _mask(source, mask, output2, offset, length);
          else bufferUtil.mask(source, mask, output2, offset, length);
        };
        module.exports.unmask = function(buffer, mask) {
          if (buffer.length < 32) _unmask(buffer, mask);
          else bufferUtil.unmask(buffer, mask);
        };
      } catch (e) {
      }
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/limiter.js
var require_limiter = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/limiter.js"(exports, module) {
    "use strict";
    var kDone = /* @__PURE__ */ Symbol("kDone");
    var kRun = /* @__PURE__ */ Symbol("kRun");
    var Limiter = class {
      /**
       * Creates a new `Limiter`.
       *
       * @param {Number} [concurrency=Infinity] The maximum number of jobs allowed
       *     to run concurrently
       */
      constructor(concurrency) {
        this[kDone] = () => {
          this.pending--;
          this[kRun]();
        };
        this.concurrency = concurrency || Infinity;
        this.jobs = [];
        this.pending = 0;
      }
      /**
       * Adds a job to the queue.
       *
       * @param {Function} job The job to run
       * @public
       */
      add(job) {
        this.jobs.push(job);
        this[kRun]();
      }
      /**
       * Removes a job from the queue and runs it if possible.
       *
       * @private
       */
      [kRun]() {
        if (this.pending === this.concurrency) return;
        if (this.jobs.length) {
          const job = this.jobs.shift();
          this.pending++;
          job(this[kDone]);
        }
      }
    };
    module.exports = Limiter;
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/permessage-deflate.js
var require_permessage_deflate = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/permessage-deflate.js"(exports, module) {
    "use strict";
    var zlib = __require("zlib");
    var bufferUtil = require_buffer_util();
    var Limiter = require_limiter();
    var { kStatusCode } = require_constants();
    var FastBuffer = Buffer[Symbol.species];
    var TRAILER = Buffer.from([0, 0, 255, 255]);
    var kPerMessageDeflate = /* @__PURE__ */ Symbol("permessage-deflate");
    var kTotalLength = /* @__PURE__ */ Symbol("total-length");
    var kCallback = /* @__PURE__ */ Symbol("callback");
    var kBuffers = /* @__PURE__ */ Symbol("buffers");
    var kError = /* @__PURE__ */ Symbol("error");
    var zlibLimiter;
    var PerMessageDeflate2 = class {
      /**
       * Creates a PerMessageDeflate instance.
       *
       * @param {Object} [options] Configuration options
       * @param {(Boolean|Number)} [options.clientMaxWindowBits] Advertise support
       *     for, or request, a custom client window size
       * @param {Boolean} [options.clientNoContextTakeover=false] Advertise/
       *     acknowledge disabling of client context takeover
       * @param {Number} [options.concurrencyLimit=10] The number of concurrent
       *     calls to zlib
       * @param {Boolean} [options.isServer=false] Create the instance in either
       *     server or client mode
       * @param {Number} [options.maxPayload=0] The maximum allowed message length
       * @param {(Boolean|Number)} [options.serverMaxWindowBits] Request/confirm the
       *     use of a custom server window size
       * @param {Boolean} [options.serverNoContextTakeover=false] Request/accept
       *     disabling of server context takeover
       * @param {Number} [options.threshold=1024] Size (in bytes) below which
       *     messages should not be compressed if context takeover is disabled
       * @param {Object} [options.zlibDeflateOptions] Options to pass to zlib on
       *     deflate
       * @param {Object} [options.zlibInflateOptions] Options to pass to zlib on
       *     inflate
       */
      constructor(options2) {
        this._options = options2 || {};
        this._threshold = this._options.threshold !== void 0 ? this._options.threshold : 1024;
        this._maxPayload = this._options.maxPayload | 0;
        this._isServer = !!this._options.isServer;
        this._deflate = null;
        this._inflate = null;
        this.params = null;
        if (!zlibLimiter) {
          const concurrency = this._options.concurrencyLimit !== void 0 ? this._options.concurrencyLimit : 10;
          zlibLimiter = new Limiter(concurrency);
        }
      }
      /**
       * @type {String}
       */
      static get extensionName() {
        return "permessage-deflate";
      }
      /**
       * Create an extension negotiation offer.
       *
       * @return {Object} Extension parameters
       * @public
       */
      offer() {
        const params = {};
        if (this._options.serverNoContextTakeover) {
          params.server_no_context_takeover = true;
        }
        if (this._options.clientNoContextTakeover) {
          params.client_no_context_takeover = true;
        }
        if (this._options.serverMaxWindowBits) {
          params.server_max_window_bits = this._options.serverMaxWindowBits;
        }
        if (this._options.clientMaxWindowBits) {
          params.client_max_window_bits = this._options.clientMaxWindowBits;
        } else if (this._options.clientMaxWindowBits == null) {
          params.client_max_window_bits = true;
        }
        return params;
      }
      /**
       * Accept an extension negotiation offer/response.
       *
       * @param {Array} configurations The extension negotiation offers/reponse
       * @return {Object} Accepted configuration
       * @public
       */
      accept(configurations) {
        configurations = this.normalizeParams(configurations);
        this.params = this._isServer ? this.acceptAsServer(configurations) : this.acceptAsClient(configurations);
        return this.params;
      }
      /**
       * Releases all resources used by the extension.
       *
       * @public
       */
      cleanup() {
        if (this._inflate) {
          this._inflate.close();
          this._inflate = null;
        }
        if (this._deflate) {
          const callback2 = this._deflate[kCallback];
          this._deflate.close();
          this._deflate = null;
          if (callback2) {
            callback2(
              new Error(
                "The deflate stream was closed while data was being processed"
              )
            );
          }
        }
      }
      /**
       *  Accept an extension negotiation offer.
       *
       * @param {Array} offers The extension negotiation offers
       * @return {Object} Accepted configuration
       * @private
       */
      acceptAsServer(offers) {
        const opts = this._options;
        const accepted = offers.find((params) => {
          if (opts.serverNoContextTakeover === false && params.server_no_context_takeover || params.server_max_window_bits && (opts.serverMaxWindowBits === false || typeof opts.serverMaxWindowBits === "number" && opts.serverMaxWindowBits > params.server_max_window_bits) || typeof opts.clientMaxWindowBits === "number" && (typeof params.client_max_window_bits === "number" ? opts.clientMaxWindowBits > params.client_max_window_bits : !params.client_max_window_bits)) {
            return false;
          }
          return true;
        });
        if (!accepted) {
          throw new Error("None of the extension offers can be accepted");
        }
        if (opts.serverNoContextTakeover) {
          accepted.server_no_context_takeover = true;
        }
        if (opts.clientNoContextTakeover) {
          accepted.client_no_context_takeover = true;
        }
        if (typeof opts.serverMaxWindowBits === "number") {
          accepted.server_max_window_bits = opts.serverMaxWindowBits;
        }
        if (typeof opts.clientMaxWindowBits === "number") {
          accepted.client_max_window_bits = opts.clientMaxWindowBits;
        } else if (accepted.client_max_window_bits === true || opts.clientMaxWindowBits === false) {
          delete accepted.client_max_window_bits;
        }
        return accepted;
      }
      /**
       * Accept the extension negotiation response.
       *
       * @param {Array} response The extension negotiation response
       * @return {Object} Accepted configuration
       * @private
       */
      acceptAsClient(response) {
        const params = response[0];
        if (this._options.clientNoContextTakeover === false && params.client_no_context_takeover) {
          throw new Error('Unexpected parameter "client_no_context_takeover"');
        }
        if (!params.client_max_window_bits) {
          if (typeof this._options.clientMaxWindowBits === "number") {
            params.client_max_window_bits = this._options.clientMaxWindowBits;
          }
        } else if (this._options.clientMaxWindowBits === false || typeof this._options.clientMaxWindowBits === "number" && params.client_max_window_bits > this._options.clientMaxWindowBits) {
          throw new Error(
            'Unexpected or invalid parameter "client_max_window_bits"'
          );
        }
        return params;
      }
      /**
       * Normalize parameters.
       *
       * @param {Array} configurations The extension negotiation offers/reponse
       * @return {Array} The offers/response with normalized parameters
       * @private
       */
      normalizeParams(configurations) {
        configurations.forEach((params) => {
          Object.keys(params).forEach((key) => {
            let value = params[key];
            if (value.length > 1) {
              throw new Error(`Parameter "${key}" must have only a single value`);
            }
            value = value[0];
            if (key === "client_max_window_bits") {
              if (value !== true) {
                const num = +value;
                if (!Number.isInteger(num) || num < 8 || num > 15) {
                  throw new TypeError(
                    `Invalid value for parameter "${key}": ${value}`
                  );
                }
                value = num;
              } else if (!this._isServer) {
                throw new TypeError(
                  `Invalid value for parameter "${key}": ${value}`
                );
              }
            } else if (key === "server_max_window_bits") {
              const num = +value;
              if (!Number.isInteger(num) || num < 8 || num > 15) {
                throw new TypeError(
                  `Invalid value for parameter "${key}": ${value}`
                );
              }
              value = num;
            } else if (key === "client_no_context_takeover" || key === "server_no_context_takeover") {
              if (value !== true) {
                throw new TypeError(
                  `Invalid value for parameter "${key}": ${value}`
                );
              }
            } else {
              throw new Error(`Unknown parameter "${key}"`);
            }
            params[key] = value;
          });
        });
        return configurations;
      }
      /**
       * Decompress data. Concurrency limited.
       *
       * @param {Buffer} data Compressed data
       * @param {Boolean} fin Specifies whether or not this is the last fragment
       * @param {Function} callback Callback
       * @public
       */
      decompress(data, fin, callback2) {
        zlibLimiter.add((done) => {
          this._decompress(data, fin, (err, result) => {
            done();
            callback2(err, result);
          });
        });
      }
      /**
       * Compress data. Concurrency limited.
       *
       * @param {(Buffer|String)} data Data to compress
       * @param {Boolean} fin Specifies whether or not this is the last fragment
       * @param {Function} callback Callback
       * @public
       */
      compress(data, fin, callback2) {
        zlibLimiter.add((done) => {
          this._compress(data, fin, (err, result) => {
            done();
            callback2(err, result);
          });
        });
      }
      /**
       * Decompress data.
       *
       * @param {Buffer} data Compressed data
       * @param {Boolean} fin Specifies whether or not this is the last fragment
       * @param {Function} callback Callback
       * @private
       */
      _decompress(data, fin, callback2) {
        const endpoint = this._isServer ? "client" : "server";
        if (!this._inflate) {
          const key = `${endpoint}_max_window_bits`;
          const windowBits = typeof this.params[key] !== "number" ? zlib.Z_DEFAULT_WINDOWBITS : this.params[key];
          this._inflate = zlib.createInflateRaw({
            ...this._options.zlibInflateOptions,
            windowBits
          });
          this._inflate[kPerMessageDeflate] = this;
          this._inflate[kTotalLength] = 0;
          this._inflate[kBuffers] = [];
          this._inflate.on("error", inflateOnError);
          this._inflate.on("data", inflateOnData);
        }
        this._inflate[kCallback] = callback2;
        this._inflate.write(data);
        if (fin) this._inflate.write(TRAILER);
        this._inflate.flush(() => {
          const err = this._inflate[kError];
          if (err) {
            this._inflate.close();
            this._inflate = null;
            callback2(err);
            return;
          }
          const data2 = bufferUtil.concat(
            this._inflate[kBuffers],
            this._inflate[kTotalLength]
          );
          if (this._inflate._readableState.endEmitted) {
            this._inflate.close();
            this._inflate = null;
          } else {
            this._inflate[kTotalLength] = 0;
            this._inflate[kBuffers] = [];
            if (fin && this.params[`${endpoint}_no_context_takeover`]) {
              this._inflate.reset();
            }
          }
          callback2(null, data2);
        });
      }
      /**
       * Compress data.
       *
       * @param {(Buffer|String)} data Data to compress
       * @param {Boolean} fin Specifies whether or not this is the last fragment
       * @param {Function} callback Callback
       * @private
       */
      _compress(data, fin, callback2) {
        const endpoint = this._isServer ? "server" : "client";
        if (!this._deflate) {
          const key = `${endpoint}_max_window_bits`;
          const windowBits = typeof this.params[key] !== "number" ? zlib.Z_DEFAULT_WINDOWBITS : this.params[key];
          this._deflate = zlib.createDeflateRaw({
            ...this._options.zlibDeflateOptions,
            windowBits
          });
          this._deflate[kTotalLength] = 0;
          this._deflate[kBuffers] = [];
          this._deflate.on("data", deflateOnData);
        }
        this._deflate[kCallback] = callback2;
        this._deflate.write(data);
        this._deflate.flush(zlib.Z_SYNC_FLUSH, () => {
          if (!this._deflate) {
            return;
          }
          let data2 = bufferUtil.concat(
            this._deflate[kBuffers],
            this._deflate[kTotalLength]
          );
          if (fin) {
            data2 = new FastBuffer(data2.buffer, data2.byteOffset, data2.length - 4);
          }
          this._deflate[kCallback] = null;
          this._deflate[kTotalLength] = 0;
          this._deflate[kBuffers] = [];
          if (fin && this.params[`${endpoint}_no_context_takeover`]) {
            this._deflate.reset();
          }
          callback2(null, data2);
        });
      }
    };
    module.exports = PerMessageDeflate2;
    function deflateOnData(chunk) {
      this[kBuffers].push(chunk);
      this[kTotalLength] += chunk.length;
    }
    function inflateOnData(chunk) {
      this[kTotalLength] += chunk.length;
      if (this[kPerMessageDeflate]._maxPayload < 1 || this[kTotalLength] <= this[kPerMessageDeflate]._maxPayload) {
        this[kBuffers].push(chunk);
        return;
      }
      this[kError] = new RangeError("Max payload size exceeded");
      this[kError].code = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
      this[kError][kStatusCode] = 1009;
      this.removeListener("data", inflateOnData);
      this.reset();
    }
    function inflateOnError(err) {
      this[kPerMessageDeflate]._inflate = null;
      if (this[kError]) {
        this[kCallback](this[kError]);
        return;
      }
      err[kStatusCode] = 1007;
      this[kCallback](err);
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/validation.js
var require_validation = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/validation.js"(exports, module) {
    "use strict";
    var { isUtf8: isUtf83 } = __require("buffer");
    var { hasBlob } = require_constants();
    var tokenChars = [
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      // 0 - 15
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      // 16 - 31
      0,
      1,
      0,
      1,
      1,
      1,
      1,
      1,
      0,
      0,
      1,
      1,
      0,
      1,
      1,
      0,
      // 32 - 47
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      // 48 - 63
      0,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      // 64 - 79
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      0,
      0,
      0,
      1,
      1,
      // 80 - 95
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      // 96 - 111
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
      0,
      1,
      0,
      1,
      0
      // 112 - 127
    ];
    function isValidStatusCode(code) {
      return code >= 1e3 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006 || code >= 3e3 && code <= 4999;
    }
    function _isValidUTF8(buf) {
      const len = buf.length;
      let i = 0;
      while (i < len) {
        if ((buf[i] & 128) === 0) {
          i++;
        } else if ((buf[i] & 224) === 192) {
          if (i + 1 === len || (buf[i + 1] & 192) !== 128 || (buf[i] & 254) === 192) {
            return false;
          }
          i += 2;
        } else if ((buf[i] & 240) === 224) {
          if (i + 2 >= len || (buf[i + 1] & 192) !== 128 || (buf[i + 2] & 192) !== 128 || buf[i] === 224 && (buf[i + 1] & 224) === 128 || // Overlong
          buf[i] === 237 && (buf[i + 1] & 224) === 160) {
            return false;
          }
          i += 3;
        } else if ((buf[i] & 248) === 240) {
          if (i + 3 >= len || (buf[i + 1] & 192) !== 128 || (buf[i + 2] & 192) !== 128 || (buf[i + 3] & 192) !== 128 || buf[i] === 240 && (buf[i + 1] & 240) === 128 || // Overlong
          buf[i] === 244 && buf[i + 1] > 143 || buf[i] > 244) {
            return false;
          }
          i += 4;
        } else {
          return false;
        }
      }
      return true;
    }
    function isBlob(value) {
      return hasBlob && typeof value === "object" && typeof value.arrayBuffer === "function" && typeof value.type === "string" && typeof value.stream === "function" && (value[Symbol.toStringTag] === "Blob" || value[Symbol.toStringTag] === "File");
    }
    module.exports = {
      isBlob,
      isValidStatusCode,
      isValidUTF8: _isValidUTF8,
      tokenChars
    };
    if (isUtf83) {
      module.exports.isValidUTF8 = function(buf) {
        return buf.length < 24 ? _isValidUTF8(buf) : isUtf83(buf);
      };
    } else if (!process.env.WS_NO_UTF_8_VALIDATE) {
      try {
        const isValidUTF8 = __require("utf-8-validate");
        module.exports.isValidUTF8 = function(buf) {
          return buf.length < 32 ? _isValidUTF8(buf) : isValidUTF8(buf);
        };
      } catch (e) {
      }
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/receiver.js
var require_receiver = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/receiver.js"(exports, module) {
    "use strict";
    var { Writable } = __require("stream");
    var PerMessageDeflate2 = require_permessage_deflate();
    var {
      BINARY_TYPES,
      EMPTY_BUFFER,
      kStatusCode,
      kWebSocket
    } = require_constants();
    var { concat: concat2, toArrayBuffer, unmask } = require_buffer_util();
    var { isValidStatusCode, isValidUTF8 } = require_validation();
    var FastBuffer = Buffer[Symbol.species];
    var GET_INFO = 0;
    var GET_PAYLOAD_LENGTH_16 = 1;
    var GET_PAYLOAD_LENGTH_64 = 2;
    var GET_MASK = 3;
    var GET_DATA = 4;
    var INFLATING = 5;
    var DEFER_EVENT = 6;
    var Receiver2 = class extends Writable {
      /**
       * Creates a Receiver instance.
       *
       * @param {Object} [options] Options object
       * @param {Boolean} [options.allowSynchronousEvents=true] Specifies whether
       *     any of the `'message'`, `'ping'`, and `'pong'` events can be emitted
       *     multiple times in the same tick
       * @param {String} [options.binaryType=nodebuffer] The type for binary data
       * @param {Object} [options.extensions] An object containing the negotiated
       *     extensions
       * @param {Boolean} [options.isServer=false] Specifies whether to operate in
       *     client or server mode
       * @param {Number} [options.maxBufferedChunks=0] The maximum number of
       *     buffered data chunks
       * @param {Number} [options.maxFragments=0] The maximum number of message
       *     fragments
       * @param {Number} [options.maxPayload=0] The maximum allowed message length
       * @param {Boolean} [options.skipUTF8Validation=false] Specifies whether or
       *     not to skip UTF-8 validation for text and close messages
       */
      constructor(options2 = {}) {
        super();
        this._allowSynchronousEvents = options2.allowSynchronousEvents !== void 0 ? options2.allowSynchronousEvents : true;
        this._binaryType = options2.binaryType || BINARY_TYPES[0];
        this._extensions = options2.extensions || {};
        this._isServer = !!options2.isServer;
        this._maxBufferedChunks = options2.maxBufferedChunks | 0;
        this._maxFragments = options2.maxFragments | 0;
        this._maxPayload = options2.maxPayload | 0;
        this._skipUTF8Validation = !!options2.skipUTF8Validation;
        this[kWebSocket] = void 0;
        this._bufferedBytes = 0;
        this._buffers = [];
        this._compressed = false;
        this._payloadLength = 0;
        this._mask = void 0;
        this._fragmented = 0;
        this._masked = false;
        this._fin = false;
        this._opcode = 0;
        this._totalPayloadLength = 0;
        this._messageLength = 0;
        this._numFragments = 0;
        this._fragments = [];
        this._errored = false;
        this._loop = false;
        this._state = GET_INFO;
      }
      /**
       * Implements `Writable.prototype._write()`.
       *
       * @param {Buffer} chunk The chunk of data to write
       * @param {String} encoding The character encoding of `chunk`
       * @param {Function} cb Callback
       * @private
       */
      _write(chunk, encoding, cb) {
        if (this._opcode === 8 && this._state == GET_INFO) return cb();
        if (this._maxBufferedChunks > 0 && this._buffers.length >= this._maxBufferedChunks) {
          cb(
            this.createError(
              RangeError,
              "Too many buffered chunks",
              false,
              1008,
              "WS_ERR_TOO_MANY_BUFFERED_PARTS"
            )
          );
          return;
        }
        this._bufferedBytes += chunk.length;
        this._buffers.push(chunk);
        this.startLoop(cb);
      }
      /**
       * Consumes `n` bytes from the buffered data.
       *
       * @param {Number} n The number of bytes to consume
       * @return {Buffer} The consumed bytes
       * @private
       */
      consume(n) {
        this._bufferedBytes -= n;
        if (n === this._buffers[0].length) return this._buffers.shift();
        if (n < this._buffers[0].length) {
          const buf = this._buffers[0];
          this._buffers[0] = new FastBuffer(
            buf.buffer,
            buf.byteOffset + n,
            buf.length - n
          );
          return new FastBuffer(buf.buffer, buf.byteOffset, n);
        }
        const dst = Buffer.allocUnsafe(n);
        do {
          const buf = this._buffers[0];
          const offset = dst.length - n;
          if (n >= buf.length) {
            dst.set(this._buffers.shift(), offset);
          } else {
            dst.set(new Uint8Array(buf.buffer, buf.byteOffset, n), offset);
            this._buffers[0] = new FastBuffer(
              buf.buffer,
              buf.byteOffset + n,
              buf.length - n
            );
          }
          n -= buf.length;
        } while (n > 0);
        return dst;
      }
      /**
       * Starts the parsing loop.
       *
       * @param {Function} cb Callback
       * @private
       */
      startLoop(cb) {
        this._loop = true;
        do {
          switch (this._state) {
            case GET_INFO:
              this.getInfo(cb);
              break;
            case GET_PAYLOAD_LENGTH_16:
              this.getPayloadLength16(cb);
              break;
            case GET_PAYLOAD_LENGTH_64:
              this.getPayloadLength64(cb);
              break;
            case GET_MASK:
              this.getMask();
              break;
            case GET_DATA:
              this.getData(cb);
              break;
            case INFLATING:
            case DEFER_EVENT:
              this._loop = false;
              return;
          }
        } while (this._loop);
        if (!this._errored) cb();
      }
      /**
       * Reads the first two bytes of a frame.
       *
       * @param {Function} cb Callback
       * @private
       */
      getInfo(cb) {
        if (this._bufferedBytes < 2) {
          this._loop = false;
          return;
        }
        const buf = this.consume(2);
        if ((buf[0] & 48) !== 0) {
          const error2 = this.createError(
            RangeError,
            "RSV2 and RSV3 must be clear",
            true,
            1002,
            "WS_ERR_UNEXPECTED_RSV_2_3"
          );
          cb(error2);
          return;
        }
        const compressed = (buf[0] & 64) === 64;
        if (compressed && !this._extensions[PerMessageDeflate2.extensionName]) {
          const error2 = this.createError(
            RangeError,
            "RSV1 must be clear",
            true,
            1002,
            "WS_ERR_UNEXPECTED_RSV_1"
          );
          cb(error2);
          return;
        }
        this._fin = (buf[0] & 128) === 128;
        this._opcode = buf[0] & 15;
        this._payloadLength = buf[1] & 127;
        if (this._opcode === 0) {
          if (compressed) {
            const error2 = this.createError(
              RangeError,
              "RSV1 must be clear",
              true,
              1002,
              "WS_ERR_UNEXPECTED_RSV_1"
            );
            cb(error2);
            return;
          }
          if (!this._fragmented) {
            const error2 = this.createError(
              RangeError,
              "invalid opcode 0",
              true,
              1002,
              "WS_ERR_INVALID_OPCODE"
            );
            cb(error2);
            return;
          }
          this._opcode = this._fragmented;
        } else if (this._opcode === 1 || this._opcode === 2) {
          if (this._fragmented) {
            const error2 = this.createError(
              RangeError,
              `invalid opcode ${this._opcode}`,
              true,
              1002,
              "WS_ERR_INVALID_OPCODE"
            );
            cb(error2);
            return;
          }
          this._compressed = compressed;
        } else if (this._opcode > 7 && this._opcode < 11) {
          if (!this._fin) {
            const error2 = this.createError(
              RangeError,
              "FIN must be set",
              true,
              1002,
              "WS_ERR_EXPECTED_FIN"
            );
            cb(error2);
            return;
          }
          if (compressed) {
            const error2 = this.createError(
              RangeError,
              "RSV1 must be clear",
              true,
              1002,
              "WS_ERR_UNEXPECTED_RSV_1"
            );
            cb(error2);
            return;
          }
          if (this._payloadLength > 125 || this._opcode === 8 && this._payloadLength === 1) {
            const error2 = this.createError(
              RangeError,
              `invalid payload length ${this._payloadLength}`,
              true,
              1002,
              "WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH"
            );
            cb(error2);
            return;
          }
        } else {
          const error2 = this.createError(
            RangeError,
            `invalid opcode ${this._opcode}`,
            true,
            1002,
            "WS_ERR_INVALID_OPCODE"
          );
          cb(error2);
          return;
        }
        if (!this._fin && !this._fragmented) this._fragmented = this._opcode;
        this._masked = (buf[1] & 128) === 128;
        if (this._isServer) {
          if (!this._masked) {
            const error2 = this.createError(
              RangeError,
              "MASK must be set",
              true,
              1002,
              "WS_ERR_EXPECTED_MASK"
            );
            cb(error2);
            return;
          }
        } else if (this._masked) {
          const error2 = this.createError(
            RangeError,
            "MASK must be clear",
            true,
            1002,
            "WS_ERR_UNEXPECTED_MASK"
          );
          cb(error2);
          return;
        }
        if (this._payloadLength === 126) this._state = GET_PAYLOAD_LENGTH_16;
        else if (this._payloadLength === 127) this._state = GET_PAYLOAD_LENGTH_64;
        else this.haveLength(cb);
      }
      /**
       * Gets extended payload length (7+16).
       *
       * @param {Function} cb Callback
       * @private
       */
      getPayloadLength16(cb) {
        if (this._bufferedBytes < 2) {
          this._loop = false;
          return;
        }
        this._payloadLength = this.consume(2).readUInt16BE(0);
        this.haveLength(cb);
      }
      /**
       * Gets extended payload length (7+64).
       *
       * @param {Function} cb Callback
       * @private
       */
      getPayloadLength64(cb) {
        if (this._bufferedBytes < 8) {
          this._loop = false;
          return;
        }
        const buf = this.consume(8);
        const num = buf.readUInt32BE(0);
        if (num > Math.pow(2, 53 - 32) - 1) {
          const error2 = this.createError(
            RangeError,
            "Unsupported WebSocket frame: payload length > 2^53 - 1",
            false,
            1009,
            "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH"
          );
          cb(error2);
          return;
        }
        this._payloadLength = num * Math.pow(2, 32) + buf.readUInt32BE(4);
        this.haveLength(cb);
      }
      /**
       * Payload length has been read.
       *
       * @param {Function} cb Callback
       * @private
       */
      haveLength(cb) {
        if (this._payloadLength && this._opcode < 8) {
          this._totalPayloadLength += this._payloadLength;
          if (this._totalPayloadLength > this._maxPayload && this._maxPayload > 0) {
            const error2 = this.createError(
              RangeError,
              "Max payload size exceeded",
              false,
              1009,
              "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"
            );
            cb(error2);
            return;
          }
        }
        if (this._masked) this._state = GET_MASK;
        else this._state = GET_DATA;
      }
      /**
       * Reads mask bytes.
       *
       * @private
       */
      getMask() {
        if (this._bufferedBytes < 4) {
          this._loop = false;
          return;
        }
        this._mask = this.consume(4);
        this._state = GET_DATA;
      }
      /**
       * Reads data bytes.
       *
       * @param {Function} cb Callback
       * @private
       */
      getData(cb) {
        let data = EMPTY_BUFFER;
        if (this._payloadLength) {
          if (this._bufferedBytes < this._payloadLength) {
            this._loop = false;
            return;
          }
          data = this.consume(this._payloadLength);
          if (this._masked && (this._mask[0] | this._mask[1] | this._mask[2] | this._mask[3]) !== 0) {
            unmask(data, this._mask);
          }
        }
        this._mask = void 0;
        if (this._opcode > 7) {
          this.controlMessage(data, cb);
          return;
        }
        if (this._maxFragments > 0 && ++this._numFragments > this._maxFragments) {
          const error2 = this.createError(
            RangeError,
            "Too many message fragments",
            false,
            1008,
            "WS_ERR_TOO_MANY_BUFFERED_PARTS"
          );
          cb(error2);
          return;
        }
        if (this._compressed) {
          this._state = INFLATING;
          this.decompress(data, cb);
          return;
        }
        if (data.length) {
          this._messageLength = this._totalPayloadLength;
          this._fragments.push(data);
        }
        this.dataMessage(cb);
      }
      /**
       * Decompresses data.
       *
       * @param {Buffer} data Compressed data
       * @param {Function} cb Callback
       * @private
       */
      decompress(data, cb) {
        const perMessageDeflate = this._extensions[PerMessageDeflate2.extensionName];
        perMessageDeflate.decompress(data, this._fin, (err, buf) => {
          if (err) return cb(err);
          if (buf.length) {
            this._messageLength += buf.length;
            if (this._messageLength > this._maxPayload && this._maxPayload > 0) {
              const error2 = this.createError(
                RangeError,
                "Max payload size exceeded",
                false,
                1009,
                "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"
              );
              cb(error2);
              return;
            }
            this._fragments.push(buf);
          }
          this.dataMessage(cb);
          if (this._state === GET_INFO) this.startLoop(cb);
        });
      }
      /**
       * Handles a data message.
       *
       * @param {Function} cb Callback
       * @private
       */
      dataMessage(cb) {
        if (!this._fin) {
          this._state = GET_INFO;
          return;
        }
        const messageLength = this._messageLength;
        const fragments = this._fragments;
        this._totalPayloadLength = 0;
        this._messageLength = 0;
        this._fragmented = 0;
        this._numFragments = 0;
        this._fragments = [];
        if (this._opcode === 2) {
          let data;
          if (this._binaryType === "nodebuffer") {
            data = concat2(fragments, messageLength);
          } else if (this._binaryType === "arraybuffer") {
            data = toArrayBuffer(concat2(fragments, messageLength));
          } else if (this._binaryType === "blob") {
            data = new Blob(fragments);
          } else {
            data = fragments;
          }
          if (this._allowSynchronousEvents) {
            this.emit("message", data, true);
            this._state = GET_INFO;
          } else {
            this._state = DEFER_EVENT;
            setImmediate(() => {
              this.emit("message", data, true);
              this._state = GET_INFO;
              this.startLoop(cb);
            });
          }
        } else {
          const buf = concat2(fragments, messageLength);
          if (!this._skipUTF8Validation && !isValidUTF8(buf)) {
            const error2 = this.createError(
              Error,
              "invalid UTF-8 sequence",
              true,
              1007,
              "WS_ERR_INVALID_UTF8"
            );
            cb(error2);
            return;
          }
          if (this._state === INFLATING || this._allowSynchronousEvents) {
            this.emit("message", buf, false);
            this._state = GET_INFO;
          } else {
            this._state = DEFER_EVENT;
            setImmediate(() => {
              this.emit("message", buf, false);
              this._state = GET_INFO;
              this.startLoop(cb);
            });
          }
        }
      }
      /**
       * Handles a control message.
       *
       * @param {Buffer} data Data to handle
       * @return {(Error|RangeError|undefined)} A possible error
       * @private
       */
      controlMessage(data, cb) {
        if (this._opcode === 8) {
          if (data.length === 0) {
            this._loop = false;
            this.emit("conclude", 1005, EMPTY_BUFFER);
            this.end();
          } else {
            const code = data.readUInt16BE(0);
            if (!isValidStatusCode(code)) {
              const error2 = this.createError(
                RangeError,
                `invalid status code ${code}`,
                true,
                1002,
                "WS_ERR_INVALID_CLOSE_CODE"
              );
              cb(error2);
              return;
            }
            const buf = new FastBuffer(
              data.buffer,
              data.byteOffset + 2,
              data.length - 2
            );
            if (!this._skipUTF8Validation && !isValidUTF8(buf)) {
              const error2 = this.createError(
                Error,
                "invalid UTF-8 sequence",
                true,
                1007,
                "WS_ERR_INVALID_UTF8"
              );
              cb(error2);
              return;
            }
            this._loop = false;
            this.emit("conclude", code, buf);
            this.end();
          }
          this._state = GET_INFO;
          return;
        }
        if (this._allowSynchronousEvents) {
          this.emit(this._opcode === 9 ? "ping" : "pong", data);
          this._state = GET_INFO;
        } else {
          this._state = DEFER_EVENT;
          setImmediate(() => {
            this.emit(this._opcode === 9 ? "ping" : "pong", data);
            this._state = GET_INFO;
            this.startLoop(cb);
          });
        }
      }
      /**
       * Builds an error object.
       *
       * @param {function(new:Error|RangeError)} ErrorCtor The error constructor
       * @param {String} message The error message
       * @param {Boolean} prefix Specifies whether or not to add a default prefix to
       *     `message`
       * @param {Number} statusCode The status code
       * @param {String} errorCode The exposed error code
       * @return {(Error|RangeError)} The error
       * @private
       */
      createError(ErrorCtor, message, prefix, statusCode, errorCode) {
        this._loop = false;
        this._errored = true;
        const err = new ErrorCtor(
          prefix ? `Invalid WebSocket frame: ${message}` : message
        );
        Error.captureStackTrace(err, this.createError);
        err.code = errorCode;
        err[kStatusCode] = statusCode;
        return err;
      }
    };
    module.exports = Receiver2;
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/sender.js
var require_sender = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/sender.js"(exports, module) {
    "use strict";
    var { Duplex } = __require("stream");
    var { randomFillSync } = __require("crypto");
    var {
      types: { isUint8Array }
    } = __require("util");
    var PerMessageDeflate2 = require_permessage_deflate();
    var { EMPTY_BUFFER, kWebSocket, NOOP } = require_constants();
    var { isBlob, isValidStatusCode } = require_validation();
    var { mask: applyMask, toBuffer } = require_buffer_util();
    var kByteLength = /* @__PURE__ */ Symbol("kByteLength");
    var maskBuffer = Buffer.alloc(4);
    var RANDOM_POOL_SIZE = 8 * 1024;
    var randomPool;
    var randomPoolPointer = RANDOM_POOL_SIZE;
    var DEFAULT = 0;
    var DEFLATING = 1;
    var GET_BLOB_DATA = 2;
    var Sender2 = class _Sender {
      /**
       * Creates a Sender instance.
       *
       * @param {Duplex} socket The connection socket
       * @param {Object} [extensions] An object containing the negotiated extensions
       * @param {Function} [generateMask] The function used to generate the masking
       *     key
       */
      constructor(socket, extensions, generateMask) {
        this._extensions = extensions || {};
        if (generateMask) {
          this._generateMask = generateMask;
          this._maskBuffer = Buffer.alloc(4);
        }
        this._socket = socket;
        this._firstFragment = true;
        this._compress = false;
        this._bufferedBytes = 0;
        this._queue = [];
        this._state = DEFAULT;
        this.onerror = NOOP;
        this[kWebSocket] = void 0;
      }
      /**
       * Frames a piece of data according to the HyBi WebSocket protocol.
       *
       * @param {(Buffer|String)} data The data to frame
       * @param {Object} options Options object
       * @param {Boolean} [options.fin=false] Specifies whether or not to set the
       *     FIN bit
       * @param {Function} [options.generateMask] The function used to generate the
       *     masking key
       * @param {Boolean} [options.mask=false] Specifies whether or not to mask
       *     `data`
       * @param {Buffer} [options.maskBuffer] The buffer used to store the masking
       *     key
       * @param {Number} options.opcode The opcode
       * @param {Boolean} [options.readOnly=false] Specifies whether `data` can be
       *     modified
       * @param {Boolean} [options.rsv1=false] Specifies whether or not to set the
       *     RSV1 bit
       * @return {(Buffer|String)[]} The framed data
       * @public
       */
      static frame(data, options2) {
        let mask;
        let merge = false;
        let offset = 2;
        let skipMasking = false;
        if (options2.mask) {
          mask = options2.maskBuffer || maskBuffer;
          if (options2.generateMask) {
            options2.generateMask(mask);
          } else {
            if (randomPoolPointer === RANDOM_POOL_SIZE) {
              if (randomPool === void 0) {
                randomPool = Buffer.alloc(RANDOM_POOL_SIZE);
              }
              randomFillSync(randomPool, 0, RANDOM_POOL_SIZE);
              randomPoolPointer = 0;
            }
            mask[0] = randomPool[randomPoolPointer++];
            mask[1] = randomPool[randomPoolPointer++];
            mask[2] = randomPool[randomPoolPointer++];
            mask[3] = randomPool[randomPoolPointer++];
          }
          skipMasking = (mask[0] | mask[1] | mask[2] | mask[3]) === 0;
          offset = 6;
        }
        let dataLength;
        if (typeof data === "string") {
          if ((!options2.mask || skipMasking) && options2[kByteLength] !== void 0) {
            dataLength = options2[kByteLength];
          } else {
            data = Buffer.from(data);
            dataLength = data.length;
          }
        } else {
          dataLength = data.length;
          merge = options2.mask && options2.readOnly && !skipMasking;
        }
        let payloadLength = dataLength;
        if (dataLength >= 65536) {
          offset += 8;
          payloadLength = 127;
        } else if (dataLength > 125) {
          offset += 2;
          payloadLength = 126;
        }
        const target = Buffer.allocUnsafe(merge ? dataLength + offset : offset);
        target[0] = options2.fin ? options2.opcode | 128 : options2.opcode;
        if (options2.rsv1) target[0] |= 64;
        target[1] = payloadLength;
        if (payloadLength === 126) {
          target.writeUInt16BE(dataLength, 2);
        } else if (payloadLength === 127) {
          target[2] = target[3] = 0;
          target.writeUIntBE(dataLength, 4, 6);
        }
        if (!options2.mask) {
          return dataLength ? [target, data] : [target];
        }
        target[1] |= 128;
        target[offset - 4] = mask[0];
        target[offset - 3] = mask[1];
        target[offset - 2] = mask[2];
        target[offset - 1] = mask[3];
        if (!dataLength) return [target];
        if (skipMasking) return [target, data];
        if (merge) {
          applyMask(data, mask, target, offset, dataLength);
          return [target];
        }
        applyMask(data, mask, data, 0, dataLength);
        return [target, data];
      }
      /**
       * Sends a close message to the other peer.
       *
       * @param {Number} [code] The status code component of the body
       * @param {(String|Buffer)} [data] The message component of the body
       * @param {Boolean} [mask=false] Specifies whether or not to mask the message
       * @param {Function} [cb] Callback
       * @public
       */
      close(code, data, mask, cb) {
        let buf;
        if (code === void 0) {
          buf = EMPTY_BUFFER;
        } else if (typeof code !== "number" || !isValidStatusCode(code)) {
          throw new TypeError("First argument must be a valid error code number");
        } else if (data === void 0 || !data.length) {
          buf = Buffer.allocUnsafe(2);
          buf.writeUInt16BE(code, 0);
        } else {
          const length = Buffer.byteLength(data);
          if (length > 123) {
            throw new RangeError("The message must not be greater than 123 bytes");
          }
          buf = Buffer.allocUnsafe(2 + length);
          buf.writeUInt16BE(code, 0);
          if (typeof data === "string") {
            buf.write(data, 2);
          } else if (isUint8Array(data)) {
            buf.set(data, 2);
          } else {
            throw new TypeError("Second argument must be a string or a Uint8Array");
          }
        }
        const options2 = {
          [kByteLength]: buf.length,
          fin: true,
          generateMask: this._generateMask,
          mask,
          maskBuffer: this._maskBuffer,
          opcode: 8,
          readOnly: false,
          rsv1: false
        };
        if (this._state !== DEFAULT) {
          this.enqueue([this.dispatch, buf, false, options2, cb]);
        } else {
          this.sendFrame(_Sender.frame(buf, options2), cb);
        }
      }
      /**
       * Sends a ping message to the other peer.
       *
       * @param {*} data The message to send
       * @param {Boolean} [mask=false] Specifies whether or not to mask `data`
       * @param {Function} [cb] Callback
       * @public
       */
      ping(data, mask, cb) {
        let byteLength;
        let readOnly;
        if (typeof data === "string") {
          byteLength = Buffer.byteLength(data);
          readOnly = false;
        } else if (isBlob(data)) {
          byteLength = data.size;
          readOnly = false;
        } else {
          data = toBuffer(data);
          byteLength = data.length;
          readOnly = toBuffer.readOnly;
        }
        if (byteLength > 125) {
          throw new RangeError("The data size must not be greater than 125 bytes");
        }
        const options2 = {
          [kByteLength]: byteLength,
          fin: true,
          generateMask: this._generateMask,
          mask,
          maskBuffer: this._maskBuffer,
          opcode: 9,
          readOnly,
          rsv1: false
        };
        if (isBlob(data)) {
          if (this._state !== DEFAULT) {
            this.enqueue([this.getBlobData, data, false, options2, cb]);
          } else {
            this.getBlobData(data, false, options2, cb);
          }
        } else if (this._state !== DEFAULT) {
          this.enqueue([this.dispatch, data, false, options2, cb]);
        } else {
          this.sendFrame(_Sender.frame(data, options2), cb);
        }
      }
      /**
       * Sends a pong message to the other peer.
       *
       * @param {*} data The message to send
       * @param {Boolean} [mask=false] Specifies whether or not to mask `data`
       * @param {Function} [cb] Callback
       * @public
       */
      pong(data, mask, cb) {
        let byteLength;
        let readOnly;
        if (typeof data === "string") {
          byteLength = Buffer.byteLength(data);
          readOnly = false;
        } else if (isBlob(data)) {
          byteLength = data.size;
          readOnly = false;
        } else {
          data = toBuffer(data);
          byteLength = data.length;
          readOnly = toBuffer.readOnly;
        }
        if (byteLength > 125) {
          throw new RangeError("The data size must not be greater than 125 bytes");
        }
        const options2 = {
          [kByteLength]: byteLength,
          fin: true,
          generateMask: this._generateMask,
          mask,
          maskBuffer: this._maskBuffer,
          opcode: 10,
          readOnly,
          rsv1: false
        };
        if (isBlob(data)) {
          if (this._state !== DEFAULT) {
            this.enqueue([this.getBlobData, data, false, options2, cb]);
          } else {
            this.getBlobData(data, false, options2, cb);
          }
        } else if (this._state !== DEFAULT) {
          this.enqueue([this.dispatch, data, false, options2, cb]);
        } else {
          this.sendFrame(_Sender.frame(data, options2), cb);
        }
      }
      /**
       * Sends a data message to the other peer.
       *
       * @param {*} data The message to send
       * @param {Object} options Options object
       * @param {Boolean} [options.binary=false] Specifies whether `data` is binary
       *     or text
       * @param {Boolean} [options.compress=false] Specifies whether or not to
       *     compress `data`
       * @param {Boolean} [options.fin=false] Specifies whether the fragment is the
       *     last one
       * @param {Boolean} [options.mask=false] Specifies whether or not to mask
       *     `data`
       * @param {Function} [cb] Callback
       * @public
       */
      send(data, options2, cb) {
        const perMessageDeflate = this._extensions[PerMessageDeflate2.extensionName];
        let opcode = options2.binary ? 2 : 1;
        let rsv1 = options2.compress;
        let byteLength;
        let readOnly;
        if (typeof data === "string") {
          byteLength = Buffer.byteLength(data);
          readOnly = false;
        } else if (isBlob(data)) {
          byteLength = data.size;
          readOnly = false;
        } else {
          data = toBuffer(data);
          byteLength = data.length;
          readOnly = toBuffer.readOnly;
        }
        if (this._firstFragment) {
          this._firstFragment = false;
          if (rsv1 && perMessageDeflate && perMessageDeflate.params[perMessageDeflate._isServer ? "server_no_context_takeover" : "client_no_context_takeover"]) {
            rsv1 = byteLength >= perMessageDeflate._threshold;
          }
          this._compress = rsv1;
        } else {
          rsv1 = false;
          opcode = 0;
        }
        if (options2.fin) this._firstFragment = true;
        const opts = {
          [kByteLength]: byteLength,
          fin: options2.fin,
          generateMask: this._generateMask,
          mask: options2.mask,
          maskBuffer: this._maskBuffer,
          opcode,
          readOnly,
          rsv1
        };
        if (isBlob(data)) {
          if (this._state !== DEFAULT) {
            this.enqueue([this.getBlobData, data, this._compress, opts, cb]);
          } else {
            this.getBlobData(data, this._compress, opts, cb);
          }
        } else if (this._state !== DEFAULT) {
          this.enqueue([this.dispatch, data, this._compress, opts, cb]);
        } else {
          this.dispatch(data, this._compress, opts, cb);
        }
      }
      /**
       * Gets the contents of a blob as binary data.
       *
       * @param {Blob} blob The blob
       * @param {Boolean} [compress=false] Specifies whether or not to compress
       *     the data
       * @param {Object} options Options object
       * @param {Boolean} [options.fin=false] Specifies whether or not to set the
       *     FIN bit
       * @param {Function} [options.generateMask] The function used to generate the
       *     masking key
       * @param {Boolean} [options.mask=false] Specifies whether or not to mask
       *     `data`
       * @param {Buffer} [options.maskBuffer] The buffer used to store the masking
       *     key
       * @param {Number} options.opcode The opcode
       * @param {Boolean} [options.readOnly=false] Specifies whether `data` can be
       *     modified
       * @param {Boolean} [options.rsv1=false] Specifies whether or not to set the
       *     RSV1 bit
       * @param {Function} [cb] Callback
       * @private
       */
      getBlobData(blob, compress, options2, cb) {
        this._bufferedBytes += options2[kByteLength];
        this._state = GET_BLOB_DATA;
        blob.arrayBuffer().then((arrayBuffer) => {
          if (this._socket.destroyed) {
            const err = new Error(
              "The socket was closed while the blob was being read"
            );
            process.nextTick(callCallbacks, this, err, cb);
            return;
          }
          this._bufferedBytes -= options2[kByteLength];
          const data = toBuffer(arrayBuffer);
          if (!compress) {
            this._state = DEFAULT;
            this.sendFrame(_Sender.frame(data, options2), cb);
            this.dequeue();
          } else {
            this.dispatch(data, compress, options2, cb);
          }
        }).catch((err) => {
          process.nextTick(onError, this, err, cb);
        });
      }
      /**
       * Dispatches a message.
       *
       * @param {(Buffer|String)} data The message to send
       * @param {Boolean} [compress=false] Specifies whether or not to compress
       *     `data`
       * @param {Object} options Options object
       * @param {Boolean} [options.fin=false] Specifies whether or not to set the
       *     FIN bit
       * @param {Function} [options.generateMask] The function used to generate the
       *     masking key
       * @param {Boolean} [options.mask=false] Specifies whether or not to mask
       *     `data`
       * @param {Buffer} [options.maskBuffer] The buffer used to store the masking
       *     key
       * @param {Number} options.opcode The opcode
       * @param {Boolean} [options.readOnly=false] Specifies whether `data` can be
       *     modified
       * @param {Boolean} [options.rsv1=false] Specifies whether or not to set the
       *     RSV1 bit
       * @param {Function} [cb] Callback
       * @private
       */
      dispatch(data, compress, options2, cb) {
        if (!compress) {
          this.sendFrame(_Sender.frame(data, options2), cb);
          return;
        }
        const perMessageDeflate = this._extensions[PerMessageDeflate2.extensionName];
        this._bufferedBytes += options2[kByteLength];
        this._state = DEFLATING;
        perMessageDeflate.compress(data, options2.fin, (_, buf) => {
          if (this._socket.destroyed) {
            const err = new Error(
              "The socket was closed while data was being compressed"
            );
            callCallbacks(this, err, cb);
            return;
          }
          this._bufferedBytes -= options2[kByteLength];
          this._state = DEFAULT;
          options2.readOnly = false;
          this.sendFrame(_Sender.frame(buf, options2), cb);
          this.dequeue();
        });
      }
      /**
       * Executes queued send operations.
       *
       * @private
       */
      dequeue() {
        while (this._state === DEFAULT && this._queue.length) {
          const params = this._queue.shift();
          this._bufferedBytes -= params[3][kByteLength];
          Reflect.apply(params[0], this, params.slice(1));
        }
      }
      /**
       * Enqueues a send operation.
       *
       * @param {Array} params Send operation parameters.
       * @private
       */
      enqueue(params) {
        this._bufferedBytes += params[3][kByteLength];
        this._queue.push(params);
      }
      /**
       * Sends a frame.
       *
       * @param {(Buffer | String)[]} list The frame to send
       * @param {Function} [cb] Callback
       * @private
       */
      sendFrame(list, cb) {
        if (list.length === 2) {
          this._socket.cork();
          this._socket.write(list[0]);
          this._socket.write(list[1], cb);
          this._socket.uncork();
        } else {
          this._socket.write(list[0], cb);
        }
      }
    };
    module.exports = Sender2;
    function callCallbacks(sender, err, cb) {
      if (typeof cb === "function") cb(err);
      for (let i = 0; i < sender._queue.length; i++) {
        const params = sender._queue[i];
        const callback2 = params[params.length - 1];
        if (typeof callback2 === "function") callback2(err);
      }
    }
    function onError(sender, err, cb) {
      callCallbacks(sender, err, cb);
      sender.onerror(err);
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/event-target.js
var require_event_target = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/event-target.js"(exports, module) {
    "use strict";
    var { kForOnEventAttribute, kListener } = require_constants();
    var kCode = /* @__PURE__ */ Symbol("kCode");
    var kData = /* @__PURE__ */ Symbol("kData");
    var kError = /* @__PURE__ */ Symbol("kError");
    var kMessage = /* @__PURE__ */ Symbol("kMessage");
    var kReason = /* @__PURE__ */ Symbol("kReason");
    var kTarget = /* @__PURE__ */ Symbol("kTarget");
    var kType = /* @__PURE__ */ Symbol("kType");
    var kWasClean = /* @__PURE__ */ Symbol("kWasClean");
    var Event = class {
      /**
       * Create a new `Event`.
       *
       * @param {String} type The name of the event
       * @throws {TypeError} If the `type` argument is not specified
       */
      constructor(type2) {
        this[kTarget] = null;
        this[kType] = type2;
      }
      /**
       * @type {*}
       */
      get target() {
        return this[kTarget];
      }
      /**
       * @type {String}
       */
      get type() {
        return this[kType];
      }
    };
    Object.defineProperty(Event.prototype, "target", { enumerable: true });
    Object.defineProperty(Event.prototype, "type", { enumerable: true });
    var CloseEvent = class extends Event {
      /**
       * Create a new `CloseEvent`.
       *
       * @param {String} type The name of the event
       * @param {Object} [options] A dictionary object that allows for setting
       *     attributes via object members of the same name
       * @param {Number} [options.code=0] The status code explaining why the
       *     connection was closed
       * @param {String} [options.reason=''] A human-readable string explaining why
       *     the connection was closed
       * @param {Boolean} [options.wasClean=false] Indicates whether or not the
       *     connection was cleanly closed
       */
      constructor(type2, options2 = {}) {
        super(type2);
        this[kCode] = options2.code === void 0 ? 0 : options2.code;
        this[kReason] = options2.reason === void 0 ? "" : options2.reason;
        this[kWasClean] = options2.wasClean === void 0 ? false : options2.wasClean;
      }
      /**
       * @type {Number}
       */
      get code() {
        return this[kCode];
      }
      /**
       * @type {String}
       */
      get reason() {
        return this[kReason];
      }
      /**
       * @type {Boolean}
       */
      get wasClean() {
        return this[kWasClean];
      }
    };
    Object.defineProperty(CloseEvent.prototype, "code", { enumerable: true });
    Object.defineProperty(CloseEvent.prototype, "reason", { enumerable: true });
    Object.defineProperty(CloseEvent.prototype, "wasClean", { enumerable: true });
    var ErrorEvent = class extends Event {
      /**
       * Create a new `ErrorEvent`.
       *
       * @param {String} type The name of the event
       * @param {Object} [options] A dictionary object that allows for setting
       *     attributes via object members of the same name
       * @param {*} [options.error=null] The error that generated this event
       * @param {String} [options.message=''] The error message
       */
      constructor(type2, options2 = {}) {
        super(type2);
        this[kError] = options2.error === void 0 ? null : options2.error;
        this[kMessage] = options2.message === void 0 ? "" : options2.message;
      }
      /**
       * @type {*}
       */
      get error() {
        return this[kError];
      }
      /**
       * @type {String}
       */
      get message() {
        return this[kMessage];
      }
    };
    Object.defineProperty(ErrorEvent.prototype, "error", { enumerable: true });
    Object.defineProperty(ErrorEvent.prototype, "message", { enumerable: true });
    var MessageEvent = class extends Event {
      /**
       * Create a new `MessageEvent`.
       *
       * @param {String} type The name of the event
       * @param {Object} [options] A dictionary object that allows for setting
       *     attributes via object members of the same name
       * @param {*} [options.data=null] The message content
       */
      constructor(type2, options2 = {}) {
        super(type2);
        this[kData] = options2.data === void 0 ? null : options2.data;
      }
      /**
       * @type {*}
       */
      get data() {
        return this[kData];
      }
    };
    Object.defineProperty(MessageEvent.prototype, "data", { enumerable: true });
    var EventTarget = {
      /**
       * Register an event listener.
       *
       * @param {String} type A string representing the event type to listen for
       * @param {(Function|Object)} handler The listener to add
       * @param {Object} [options] An options object specifies characteristics about
       *     the event listener
       * @param {Boolean} [options.once=false] A `Boolean` indicating that the
       *     listener should be invoked at most once after being added. If `true`,
       *     the listener would be automatically removed when invoked.
       * @public
       */
      addEventListener(type2, handler, options2 = {}) {
        for (const listener of this.listeners(type2)) {
          if (!options2[kForOnEventAttribute] && listener[kListener] === handler && !listener[kForOnEventAttribute]) {
            return;
          }
        }
        let wrapper;
        if (type2 === "message") {
          wrapper = function onMessage(data, isBinary) {
            const event = new MessageEvent("message", {
              data: isBinary ? data : data.toString()
            });
            event[kTarget] = this;
            callListener(handler, this, event);
          };
        } else if (type2 === "close") {
          wrapper = function onClose(code, message) {
            const event = new CloseEvent("close", {
              code,
              reason: message.toString(),
              wasClean: this._closeFrameReceived && this._closeFrameSent
            });
            event[kTarget] = this;
            callListener(handler, this, event);
          };
        } else if (type2 === "error") {
          wrapper = function onError(error2) {
            const event = new ErrorEvent("error", {
              error: error2,
              message: error2.message
            });
            event[kTarget] = this;
            callListener(handler, this, event);
          };
        } else if (type2 === "open") {
          wrapper = function onOpen() {
            const event = new Event("open");
            event[kTarget] = this;
            callListener(handler, this, event);
          };
        } else {
          return;
        }
        wrapper[kForOnEventAttribute] = !!options2[kForOnEventAttribute];
        wrapper[kListener] = handler;
        if (options2.once) {
          this.once(type2, wrapper);
        } else {
          this.on(type2, wrapper);
        }
      },
      /**
       * Remove an event listener.
       *
       * @param {String} type A string representing the event type to remove
       * @param {(Function|Object)} handler The listener to remove
       * @public
       */
      removeEventListener(type2, handler) {
        for (const listener of this.listeners(type2)) {
          if (listener[kListener] === handler && !listener[kForOnEventAttribute]) {
            this.removeListener(type2, listener);
            break;
          }
        }
      }
    };
    module.exports = {
      CloseEvent,
      ErrorEvent,
      Event,
      EventTarget,
      MessageEvent
    };
    function callListener(listener, thisArg, event) {
      if (typeof listener === "object" && listener.handleEvent) {
        listener.handleEvent.call(listener, event);
      } else {
        listener.call(thisArg, event);
      }
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/extension.js
var require_extension = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/extension.js"(exports, module) {
    "use strict";
    var { tokenChars } = require_validation();
    function push(dest, name, elem) {
      if (dest[name] === void 0) dest[name] = [elem];
      else dest[name].push(elem);
    }
    function parse(header) {
      const offers = /* @__PURE__ */ Object.create(null);
      let params = /* @__PURE__ */ Object.create(null);
      let mustUnescape = false;
      let isEscaping = false;
      let inQuotes = false;
      let extensionName;
      let paramName;
      let start = -1;
      let code = -1;
      let end = -1;
      let i = 0;
      for (; i < header.length; i++) {
        code = header.charCodeAt(i);
        if (extensionName === void 0) {
          if (end === -1 && tokenChars[code] === 1) {
            if (start === -1) start = i;
          } else if (i !== 0 && (code === 32 || code === 9)) {
            if (end === -1 && start !== -1) end = i;
          } else if (code === 59 || code === 44) {
            if (start === -1) {
              throw new SyntaxError(`Unexpected character at index ${i}`);
            }
            if (end === -1) end = i;
            const name = header.slice(start, end);
            if (code === 44) {
              push(offers, name, params);
              params = /* @__PURE__ */ Object.create(null);
            } else {
              extensionName = name;
            }
            start = end = -1;
          } else {
            throw new SyntaxError(`Unexpected character at index ${i}`);
          }
        } else if (paramName === void 0) {
          if (end === -1 && tokenChars[code] === 1) {
            if (start === -1) start = i;
          } else if (code === 32 || code === 9) {
            if (end === -1 && start !== -1) end = i;
          } else if (code === 59 || code === 44) {
            if (start === -1) {
              throw new SyntaxError(`Unexpected character at index ${i}`);
            }
            if (end === -1) end = i;
            push(params, header.slice(start, end), true);
            if (code === 44) {
              push(offers, extensionName, params);
              params = /* @__PURE__ */ Object.create(null);
              extensionName = void 0;
            }
            start = end = -1;
          } else if (code === 61 && start !== -1 && end === -1) {
            paramName = header.slice(start, i);
            start = end = -1;
          } else {
            throw new SyntaxError(`Unexpected character at index ${i}`);
          }
        } else {
          if (isEscaping) {
            if (tokenChars[code] !== 1) {
              throw new SyntaxError(`Unexpected character at index ${i}`);
            }
            if (start === -1) start = i;
            else if (!mustUnescape) mustUnescape = true;
            isEscaping = false;
          } else if (inQuotes) {
            if (tokenChars[code] === 1) {
              if (start === -1) start = i;
            } else if (code === 34 && start !== -1) {
              inQuotes = false;
              end = i;
            } else if (code === 92) {
              isEscaping = true;
            } else {
              throw new SyntaxError(`Unexpected character at index ${i}`);
            }
          } else if (code === 34 && header.charCodeAt(i - 1) === 61) {
            inQuotes = true;
          } else if (end === -1 && tokenChars[code] === 1) {
            if (start === -1) start = i;
          } else if (start !== -1 && (code === 32 || code === 9)) {
            if (end === -1) end = i;
          } else if (code === 59 || code === 44) {
            if (start === -1) {
              throw new SyntaxError(`Unexpected character at index ${i}`);
            }
            if (end === -1) end = i;
            let value = header.slice(start, end);
            if (mustUnescape) {
              value = value.replace(/\\/g, "");
              mustUnescape = false;
            }
            push(params, paramName, value);
            if (code === 44) {
              push(offers, extensionName, params);
              params = /* @__PURE__ */ Object.create(null);
              extensionName = void 0;
            }
            paramName = void 0;
            start = end = -1;
          } else {
            throw new SyntaxError(`Unexpected character at index ${i}`);
          }
        }
      }
      if (start === -1 || inQuotes || code === 32 || code === 9) {
        throw new SyntaxError("Unexpected end of input");
      }
      if (end === -1) end = i;
      const token = header.slice(start, end);
      if (extensionName === void 0) {
        push(offers, token, params);
      } else {
        if (paramName === void 0) {
          push(params, token, true);
        } else if (mustUnescape) {
          push(params, paramName, token.replace(/\\/g, ""));
        } else {
          push(params, paramName, token);
        }
        push(offers, extensionName, params);
      }
      return offers;
    }
    function format(extensions) {
      return Object.keys(extensions).map((extension2) => {
        let configurations = extensions[extension2];
        if (!Array.isArray(configurations)) configurations = [configurations];
        return configurations.map((params) => {
          return [extension2].concat(
            Object.keys(params).map((k) => {
              let values = params[k];
              if (!Array.isArray(values)) values = [values];
              return values.map((v) => v === true ? k : `${k}=${v}`).join("; ");
            })
          ).join("; ");
        }).join(", ");
      }).join(", ");
    }
    module.exports = { format, parse };
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/websocket.js
var require_websocket = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/websocket.js"(exports, module) {
    "use strict";
    var EventEmitter = __require("events");
    var https = __require("https");
    var http = __require("http");
    var net = __require("net");
    var querystring = __require("querystring");
    var tls = __require("tls");
    var { randomBytes, createHash } = __require("crypto");
    var { Duplex, Readable: Readable2 } = __require("stream");
    var { URL: URL2 } = __require("url");
    var PerMessageDeflate2 = require_permessage_deflate();
    var Receiver2 = require_receiver();
    var Sender2 = require_sender();
    var { isBlob } = require_validation();
    var {
      BINARY_TYPES,
      CLOSE_TIMEOUT,
      EMPTY_BUFFER,
      GUID,
      kForOnEventAttribute,
      kListener,
      kStatusCode,
      kWebSocket,
      NOOP
    } = require_constants();
    var {
      EventTarget: { addEventListener, removeEventListener }
    } = require_event_target();
    var { format, parse } = require_extension();
    var { toBuffer } = require_buffer_util();
    var kAborted = /* @__PURE__ */ Symbol("kAborted");
    var protocolVersions = [8, 13];
    var readyStates = ["CONNECTING", "OPEN", "CLOSING", "CLOSED"];
    var subprotocolRegex = /^[!#$%&'*+\-.0-9A-Z^_`|a-z~]+$/;
    var WebSocket2 = class _WebSocket extends EventEmitter {
      /**
       * Create a new `WebSocket`.
       *
       * @param {(String|URL)} address The URL to which to connect
       * @param {(String|String[])} [protocols] The subprotocols
       * @param {Object} [options] Connection options
       */
      constructor(address, protocols, options2) {
        super();
        this._binaryType = BINARY_TYPES[0];
        this._closeCode = 1006;
        this._closeFrameReceived = false;
        this._closeFrameSent = false;
        this._closeMessage = EMPTY_BUFFER;
        this._closeTimer = null;
        this._errorEmitted = false;
        this._extensions = {};
        this._paused = false;
        this._protocol = "";
        this._readyState = _WebSocket.CONNECTING;
        this._receiver = null;
        this._sender = null;
        this._socket = null;
        if (address !== null) {
          this._bufferedAmount = 0;
          this._isServer = false;
          this._redirects = 0;
          if (protocols === void 0) {
            if (!options2 || options2.protocols === void 0) {
              protocols = [];
            } else if (Array.isArray(options2.protocols)) {
              protocols = options2.protocols;
            } else {
              protocols = [options2.protocols];
            }
          } else if (!Array.isArray(protocols)) {
            if (typeof protocols === "object" && protocols !== null) {
              options2 = protocols;
              if (options2.protocols === void 0) {
                protocols = [];
              } else if (Array.isArray(options2.protocols)) {
                protocols = options2.protocols;
              } else {
                protocols = [options2.protocols];
              }
            } else {
              protocols = [protocols];
            }
          }
          initAsClient(this, address, protocols, options2);
        } else {
          this._autoPong = options2.autoPong;
          this._closeTimeout = options2.closeTimeout;
          this._isServer = true;
        }
      }
      /**
       * For historical reasons, the custom "nodebuffer" type is used by the default
       * instead of "blob".
       *
       * @type {String}
       */
      get binaryType() {
        return this._binaryType;
      }
      set binaryType(type2) {
        if (!BINARY_TYPES.includes(type2)) return;
        this._binaryType = type2;
        if (this._receiver) this._receiver._binaryType = type2;
      }
      /**
       * @type {Number}
       */
      get bufferedAmount() {
        if (!this._socket) return this._bufferedAmount;
        return this._socket._writableState.length + this._sender._bufferedBytes;
      }
      /**
       * @type {String}
       */
      get extensions() {
        return Object.keys(this._extensions).join();
      }
      /**
       * @type {Boolean}
       */
      get isPaused() {
        return this._paused;
      }
      /**
       * @type {Function}
       */
      /* istanbul ignore next */
      get onclose() {
        return null;
      }
      /**
       * @type {Function}
       */
      /* istanbul ignore next */
      get onerror() {
        return null;
      }
      /**
       * @type {Function}
       */
      /* istanbul ignore next */
      get onopen() {
        return null;
      }
      /**
       * @type {Function}
       */
      /* istanbul ignore next */
      get onmessage() {
        return null;
      }
      /**
       * @type {String}
       */
      get protocol() {
        return this._protocol;
      }
      /**
       * @type {Number}
       */
      get readyState() {
        return this._readyState;
      }
      /**
       * @type {String}
       */
      get url() {
        return this._url;
      }
      /**
       * Set up the socket and the internal resources.
       *
       * @param {Duplex} socket The network socket between the server and client
       * @param {Buffer} head The first packet of the upgraded stream
       * @param {Object} options Options object
       * @param {Boolean} [options.allowSynchronousEvents=false] Specifies whether
       *     any of the `'message'`, `'ping'`, and `'pong'` events can be emitted
       *     multiple times in the same tick
       * @param {Function} [options.generateMask] The function used to generate the
       *     masking key
       * @param {Number} [options.maxBufferedChunks=0] The maximum number of
       *     buffered data chunks
       * @param {Number} [options.maxFragments=0] The maximum number of message
       *     fragments
       * @param {Number} [options.maxPayload=0] The maximum allowed message size
       * @param {Boolean} [options.skipUTF8Validation=false] Specifies whether or
       *     not to skip UTF-8 validation for text and close messages
       * @private
       */
      setSocket(socket, head, options2) {
        const receiver = new Receiver2({
          allowSynchronousEvents: options2.allowSynchronousEvents,
          binaryType: this.binaryType,
          extensions: this._extensions,
          isServer: this._isServer,
          maxBufferedChunks: options2.maxBufferedChunks,
          maxFragments: options2.maxFragments,
          maxPayload: options2.maxPayload,
          skipUTF8Validation: options2.skipUTF8Validation
        });
        const sender = new Sender2(socket, this._extensions, options2.generateMask);
        this._receiver = receiver;
        this._sender = sender;
        this._socket = socket;
        receiver[kWebSocket] = this;
        sender[kWebSocket] = this;
        socket[kWebSocket] = this;
        receiver.on("conclude", receiverOnConclude);
        receiver.on("drain", receiverOnDrain);
        receiver.on("error", receiverOnError);
        receiver.on("message", receiverOnMessage);
        receiver.on("ping", receiverOnPing);
        receiver.on("pong", receiverOnPong);
        sender.onerror = senderOnError;
        if (socket.setTimeout) socket.setTimeout(0);
        if (socket.setNoDelay) socket.setNoDelay();
        if (head.length > 0) socket.unshift(head);
        socket.on("close", socketOnClose);
        socket.on("data", socketOnData);
        socket.on("end", socketOnEnd);
        socket.on("error", socketOnError);
        this._readyState = _WebSocket.OPEN;
        this.emit("open");
      }
      /**
       * Emit the `'close'` event.
       *
       * @private
       */
      emitClose() {
        if (!this._socket) {
          this._readyState = _WebSocket.CLOSED;
          this.emit("close", this._closeCode, this._closeMessage);
          return;
        }
        if (this._extensions[PerMessageDeflate2.extensionName]) {
          this._extensions[PerMessageDeflate2.extensionName].cleanup();
        }
        this._receiver.removeAllListeners();
        this._readyState = _WebSocket.CLOSED;
        this.emit("close", this._closeCode, this._closeMessage);
      }
      /**
       * Start a closing handshake.
       *
       *          +----------+   +-----------+   +----------+
       *     - - -|ws.close()|-->|close frame|-->|ws.close()|- - -
       *    |     +----------+   +-----------+   +----------+     |
       *          +----------+   +-----------+         |
       * CLOSING  |ws.close()|<--|close frame|<--+-----+       CLOSING
       *          +----------+   +-----------+   |
       *    |           |                        |   +---+        |
       *                +------------------------+-->|fin| - - - -
       *    |         +---+                      |   +---+
       *     - - - - -|fin|<---------------------+
       *              +---+
       *
       * @param {Number} [code] Status code explaining why the connection is closing
       * @param {(String|Buffer)} [data] The reason why the connection is
       *     closing
       * @public
       */
      close(code, data) {
        if (this.readyState === _WebSocket.CLOSED) return;
        if (this.readyState === _WebSocket.CONNECTING) {
          const msg = "WebSocket was closed before the connection was established";
          abortHandshake(this, this._req, msg);
          return;
        }
        if (this.readyState === _WebSocket.CLOSING) {
          if (this._closeFrameSent && (this._closeFrameReceived || this._receiver._writableState.errorEmitted)) {
            this._socket.end();
          }
          return;
        }
        this._sender.close(code, data, !this._isServer, (err) => {
          if (err) return;
          this._closeFrameSent = true;
          if (this._closeFrameReceived || this._receiver._writableState.errorEmitted) {
            this._socket.end();
          }
        });
        this._readyState = _WebSocket.CLOSING;
        setCloseTimer(this);
      }
      /**
       * Pause the socket.
       *
       * @public
       */
      pause() {
        if (this.readyState === _WebSocket.CONNECTING || this.readyState === _WebSocket.CLOSED) {
          return;
        }
        this._paused = true;
        this._socket.pause();
      }
      /**
       * Send a ping.
       *
       * @param {*} [data] The data to send
       * @param {Boolean} [mask] Indicates whether or not to mask `data`
       * @param {Function} [cb] Callback which is executed when the ping is sent
       * @public
       */
      ping(data, mask, cb) {
        if (this.readyState === _WebSocket.CONNECTING) {
          throw new Error("WebSocket is not open: readyState 0 (CONNECTING)");
        }
        if (typeof data === "function") {
          cb = data;
          data = mask = void 0;
        } else if (typeof mask === "function") {
          cb = mask;
          mask = void 0;
        }
        if (typeof data === "number") data = data.toString();
        if (this.readyState !== _WebSocket.OPEN) {
          sendAfterClose(this, data, cb);
          return;
        }
        if (mask === void 0) mask = !this._isServer;
        this._sender.ping(data || EMPTY_BUFFER, mask, cb);
      }
      /**
       * Send a pong.
       *
       * @param {*} [data] The data to send
       * @param {Boolean} [mask] Indicates whether or not to mask `data`
       * @param {Function} [cb] Callback which is executed when the pong is sent
       * @public
       */
      pong(data, mask, cb) {
        if (this.readyState === _WebSocket.CONNECTING) {
          throw new Error("WebSocket is not open: readyState 0 (CONNECTING)");
        }
        if (typeof data === "function") {
          cb = data;
          data = mask = void 0;
        } else if (typeof mask === "function") {
          cb = mask;
          mask = void 0;
        }
        if (typeof data === "number") data = data.toString();
        if (this.readyState !== _WebSocket.OPEN) {
          sendAfterClose(this, data, cb);
          return;
        }
        if (mask === void 0) mask = !this._isServer;
        this._sender.pong(data || EMPTY_BUFFER, mask, cb);
      }
      /**
       * Resume the socket.
       *
       * @public
       */
      resume() {
        if (this.readyState === _WebSocket.CONNECTING || this.readyState === _WebSocket.CLOSED) {
          return;
        }
        this._paused = false;
        if (!this._receiver._writableState.needDrain) this._socket.resume();
      }
      /**
       * Send a data message.
       *
       * @param {*} data The message to send
       * @param {Object} [options] Options object
       * @param {Boolean} [options.binary] Specifies whether `data` is binary or
       *     text
       * @param {Boolean} [options.compress] Specifies whether or not to compress
       *     `data`
       * @param {Boolean} [options.fin=true] Specifies whether the fragment is the
       *     last one
       * @param {Boolean} [options.mask] Specifies whether or not to mask `data`
       * @param {Function} [cb] Callback which is executed when data is written out
       * @public
       */
      send(data, options2, cb) {
        if (this.readyState === _WebSocket.CONNECTING) {
          throw new Error("WebSocket is not open: readyState 0 (CONNECTING)");
        }
        if (typeof options2 === "function") {
          cb = options2;
          options2 = {};
        }
        if (typeof data === "number") data = data.toString();
        if (this.readyState !== _WebSocket.OPEN) {
          sendAfterClose(this, data, cb);
          return;
        }
        const opts = {
          binary: typeof data !== "string",
          mask: !this._isServer,
          compress: true,
          fin: true,
          ...options2
        };
        if (!this._extensions[PerMessageDeflate2.extensionName]) {
          opts.compress = false;
        }
        this._sender.send(data || EMPTY_BUFFER, opts, cb);
      }
      /**
       * Forcibly close the connection.
       *
       * @public
       */
      terminate() {
        if (this.readyState === _WebSocket.CLOSED) return;
        if (this.readyState === _WebSocket.CONNECTING) {
          const msg = "WebSocket was closed before the connection was established";
          abortHandshake(this, this._req, msg);
          return;
        }
        if (this._socket) {
          this._readyState = _WebSocket.CLOSING;
          this._socket.destroy();
        }
      }
    };
    Object.defineProperty(WebSocket2, "CONNECTING", {
      enumerable: true,
      value: readyStates.indexOf("CONNECTING")
    });
    Object.defineProperty(WebSocket2.prototype, "CONNECTING", {
      enumerable: true,
      value: readyStates.indexOf("CONNECTING")
    });
    Object.defineProperty(WebSocket2, "OPEN", {
      enumerable: true,
      value: readyStates.indexOf("OPEN")
    });
    Object.defineProperty(WebSocket2.prototype, "OPEN", {
      enumerable: true,
      value: readyStates.indexOf("OPEN")
    });
    Object.defineProperty(WebSocket2, "CLOSING", {
      enumerable: true,
      value: readyStates.indexOf("CLOSING")
    });
    Object.defineProperty(WebSocket2.prototype, "CLOSING", {
      enumerable: true,
      value: readyStates.indexOf("CLOSING")
    });
    Object.defineProperty(WebSocket2, "CLOSED", {
      enumerable: true,
      value: readyStates.indexOf("CLOSED")
    });
    Object.defineProperty(WebSocket2.prototype, "CLOSED", {
      enumerable: true,
      value: readyStates.indexOf("CLOSED")
    });
    [
      "binaryType",
      "bufferedAmount",
      "extensions",
      "isPaused",
      "protocol",
      "readyState",
      "url"
    ].forEach((property) => {
      Object.defineProperty(WebSocket2.prototype, property, { enumerable: true });
    });
    ["open", "error", "close", "message"].forEach((method) => {
      Object.defineProperty(WebSocket2.prototype, `on${method}`, {
        enumerable: true,
        get() {
          for (const listener of this.listeners(method)) {
            if (listener[kForOnEventAttribute]) return listener[kListener];
          }
          return null;
        },
        set(handler) {
          for (const listener of this.listeners(method)) {
            if (listener[kForOnEventAttribute]) {
              this.removeListener(method, listener);
              break;
            }
          }
          if (typeof handler !== "function") return;
          this.addEventListener(method, handler, {
            [kForOnEventAttribute]: true
          });
        }
      });
    });
    WebSocket2.prototype.addEventListener = addEventListener;
    WebSocket2.prototype.removeEventListener = removeEventListener;
    module.exports = WebSocket2;
    function initAsClient(websocket, address, protocols, options2) {
      const opts = {
        allowSynchronousEvents: true,
        autoPong: true,
        closeTimeout: CLOSE_TIMEOUT,
        protocolVersion: protocolVersions[1],
        maxBufferedChunks: 256 * 1024,
        maxFragments: 16 * 1024,
        maxPayload: 100 * 1024 * 1024,
        skipUTF8Validation: false,
        perMessageDeflate: true,
        followRedirects: false,
        maxRedirects: 10,
        ...options2,
        socketPath: void 0,
        hostname: void 0,
        protocol: void 0,
        protocols: void 0,
        timeout: void 0,
        method: "GET",
        host: void 0,
        path: void 0,
        port: void 0
      };
      websocket._autoPong = opts.autoPong;
      websocket._closeTimeout = opts.closeTimeout;
      if (!protocolVersions.includes(opts.protocolVersion)) {
        throw new RangeError(
          `Unsupported protocol version: ${opts.protocolVersion} (supported versions: ${protocolVersions.join(", ")})`
        );
      }
      let parsedUrl;
      if (address instanceof URL2) {
        parsedUrl = address;
      } else {
        try {
          parsedUrl = new URL2(address);
        } catch {
          throw new SyntaxError(`Invalid URL: ${address}`);
        }
      }
      if (parsedUrl.protocol === "http:" || parsedUrl.protocol === "https:") {
        parsedUrl = new URL2(parsedUrl);
        parsedUrl.protocol = parsedUrl.protocol === "http:" ? "ws:" : "wss:";
      }
      websocket._url = parsedUrl.href;
      const isSecure = parsedUrl.protocol === "wss:";
      const isIpcUrl = parsedUrl.protocol === "ws+unix:";
      let invalidUrlMessage;
      if (parsedUrl.protocol !== "ws:" && !isSecure && !isIpcUrl) {
        invalidUrlMessage = `The URL's protocol must be one of "ws:", "wss:", "http:", "https:", or "ws+unix:"`;
      } else if (isIpcUrl && !parsedUrl.pathname) {
        invalidUrlMessage = "The URL's pathname is empty";
      } else if (parsedUrl.hash) {
        invalidUrlMessage = "The URL contains a fragment identifier";
      }
      if (invalidUrlMessage) {
        const err = new SyntaxError(invalidUrlMessage);
        if (websocket._redirects === 0) {
          throw err;
        } else {
          emitErrorAndClose(websocket, err);
          return;
        }
      }
      const defaultPort = isSecure ? 443 : 80;
      const key = randomBytes(16).toString("base64");
      const request = isSecure ? https.request : http.request;
      const protocolSet = /* @__PURE__ */ new Set();
      let perMessageDeflate;
      opts.createConnection = opts.createConnection || (isSecure ? tlsConnect : netConnect);
      opts.defaultPort = opts.defaultPort || defaultPort;
      opts.port = parsedUrl.port || defaultPort;
      opts.host = parsedUrl.hostname.startsWith("[") ? parsedUrl.hostname.slice(1, -1) : parsedUrl.hostname;
      opts.headers = {
        ...opts.headers,
        "Sec-WebSocket-Version": opts.protocolVersion,
        "Sec-WebSocket-Key": key,
        Connection: "Upgrade",
        Upgrade: "websocket"
      };
      opts.path = parsedUrl.pathname + parsedUrl.search;
      opts.timeout = opts.handshakeTimeout;
      if (opts.perMessageDeflate) {
        perMessageDeflate = new PerMessageDeflate2({
          ...opts.perMessageDeflate,
          isServer: false,
          maxPayload: opts.maxPayload
        });
        opts.headers["Sec-WebSocket-Extensions"] = format({
          [PerMessageDeflate2.extensionName]: perMessageDeflate.offer()
        });
      }
      if (protocols.length) {
        for (const protocol of protocols) {
          if (typeof protocol !== "string" || !subprotocolRegex.test(protocol) || protocolSet.has(protocol)) {
            throw new SyntaxError(
              "An invalid or duplicated subprotocol was specified"
            );
          }
          protocolSet.add(protocol);
        }
        opts.headers["Sec-WebSocket-Protocol"] = protocols.join(",");
      }
      if (opts.origin) {
        if (opts.protocolVersion < 13) {
          opts.headers["Sec-WebSocket-Origin"] = opts.origin;
        } else {
          opts.headers.Origin = opts.origin;
        }
      }
      if (parsedUrl.username || parsedUrl.password) {
        const username = querystring.unescape(parsedUrl.username);
        const password = querystring.unescape(parsedUrl.password);
        opts.auth = `${username}:${password}`;
      }
      if (isIpcUrl) {
        const i = opts.path.indexOf(":");
        if (i === -1) {
          opts.socketPath = opts.path;
          opts.path = "";
        } else {
          opts.socketPath = opts.path.slice(0, i);
          opts.path = opts.path.slice(i + 1);
        }
      }
      let req;
      if (opts.followRedirects) {
        if (websocket._redirects === 0) {
          websocket._originalIpc = isIpcUrl;
          websocket._originalSecure = isSecure;
          websocket._originalHostOrSocketPath = isIpcUrl ? opts.socketPath : parsedUrl.host;
          const headers = options2 && options2.headers;
          options2 = { ...options2, headers: {} };
          if (headers) {
            for (const [key2, value] of Object.entries(headers)) {
              options2.headers[key2.toLowerCase()] = value;
            }
          }
        } else if (websocket.listenerCount("redirect") === 0) {
          const isSameHost = isIpcUrl ? websocket._originalIpc ? opts.socketPath === websocket._originalHostOrSocketPath : false : websocket._originalIpc ? false : parsedUrl.host === websocket._originalHostOrSocketPath;
          if (!isSameHost || websocket._originalSecure && !isSecure) {
            delete opts.headers.authorization;
            delete opts.headers.cookie;
            if (!isSameHost) delete opts.headers.host;
            opts.auth = void 0;
          }
        }
        if (opts.auth && !options2.headers.authorization) {
          options2.headers.authorization = "Basic " + Buffer.from(opts.auth).toString("base64");
        }
        req = websocket._req = request(opts);
        if (websocket._redirects) {
          websocket.emit("redirect", websocket.url, req);
        }
      } else {
        req = websocket._req = request(opts);
      }
      if (opts.timeout) {
        req.on("timeout", () => {
          abortHandshake(websocket, req, "Opening handshake has timed out");
        });
      }
      req.on("error", (err) => {
        if (req === null || req[kAborted]) return;
        req = websocket._req = null;
        emitErrorAndClose(websocket, err);
      });
      req.on("response", (res) => {
        const location = res.headers.location;
        const statusCode = res.statusCode;
        if (location && opts.followRedirects && statusCode >= 300 && statusCode < 400) {
          if (++websocket._redirects > opts.maxRedirects) {
            abortHandshake(websocket, req, "Maximum redirects exceeded");
            return;
          }
          req.abort();
          let addr;
          try {
            addr = new URL2(location, address);
          } catch (e) {
            const err = new SyntaxError(`Invalid URL: ${location}`);
            emitErrorAndClose(websocket, err);
            return;
          }
          initAsClient(websocket, addr, protocols, options2);
        } else if (!websocket.emit("unexpected-response", req, res)) {
          abortHandshake(
            websocket,
            req,
            `Unexpected server response: ${res.statusCode}`
          );
        }
      });
      req.on("upgrade", (res, socket, head) => {
        websocket.emit("upgrade", res);
        if (websocket.readyState !== WebSocket2.CONNECTING) return;
        req = websocket._req = null;
        const upgrade = res.headers.upgrade;
        if (upgrade === void 0 || upgrade.toLowerCase() !== "websocket") {
          abortHandshake(websocket, socket, "Invalid Upgrade header");
          return;
        }
        const digest = createHash("sha1").update(key + GUID).digest("base64");
        if (res.headers["sec-websocket-accept"] !== digest) {
          abortHandshake(websocket, socket, "Invalid Sec-WebSocket-Accept header");
          return;
        }
        const serverProt = res.headers["sec-websocket-protocol"];
        let protError;
        if (serverProt !== void 0) {
          if (!protocolSet.size) {
            protError = "Server sent a subprotocol but none was requested";
          } else if (!protocolSet.has(serverProt)) {
            protError = "Server sent an invalid subprotocol";
          }
        } else if (protocolSet.size) {
          protError = "Server sent no subprotocol";
        }
        if (protError) {
          abortHandshake(websocket, socket, protError);
          return;
        }
        if (serverProt) websocket._protocol = serverProt;
        const secWebSocketExtensions = res.headers["sec-websocket-extensions"];
        if (secWebSocketExtensions !== void 0) {
          if (!perMessageDeflate) {
            const message = "Server sent a Sec-WebSocket-Extensions header but no extension was requested";
            abortHandshake(websocket, socket, message);
            return;
          }
          let extensions;
          try {
            extensions = parse(secWebSocketExtensions);
          } catch (err) {
            const message = "Invalid Sec-WebSocket-Extensions header";
            abortHandshake(websocket, socket, message);
            return;
          }
          const extensionNames = Object.keys(extensions);
          if (extensionNames.length !== 1 || extensionNames[0] !== PerMessageDeflate2.extensionName) {
            const message = "Server indicated an extension that was not requested";
            abortHandshake(websocket, socket, message);
            return;
          }
          try {
            perMessageDeflate.accept(extensions[PerMessageDeflate2.extensionName]);
          } catch (err) {
            const message = "Invalid Sec-WebSocket-Extensions header";
            abortHandshake(websocket, socket, message);
            return;
          }
          websocket._extensions[PerMessageDeflate2.extensionName] = perMessageDeflate;
        }
        websocket.setSocket(socket, head, {
          allowSynchronousEvents: opts.allowSynchronousEvents,
          generateMask: opts.generateMask,
          maxBufferedChunks: opts.maxBufferedChunks,
          maxFragments: opts.maxFragments,
          maxPayload: opts.maxPayload,
          skipUTF8Validation: opts.skipUTF8Validation
        });
      });
      if (opts.finishRequest) {
        opts.finishRequest(req, websocket);
      } else {
        req.end();
      }
    }
    function emitErrorAndClose(websocket, err) {
      websocket._readyState = WebSocket2.CLOSING;
      websocket._errorEmitted = true;
      websocket.emit("error", err);
      websocket.emitClose();
    }
    function netConnect(options2) {
      options2.path = options2.socketPath;
      return net.connect(options2);
    }
    function tlsConnect(options2) {
      options2.path = void 0;
      if (!options2.servername && options2.servername !== "") {
        options2.servername = net.isIP(options2.host) ? "" : options2.host;
      }
      return tls.connect(options2);
    }
    function abortHandshake(websocket, stream, message) {
      websocket._readyState = WebSocket2.CLOSING;
      const err = new Error(message);
      Error.captureStackTrace(err, abortHandshake);
      if (stream.setHeader) {
        stream[kAborted] = true;
        stream.abort();
        if (stream.socket && !stream.socket.destroyed) {
          stream.socket.destroy();
        }
        process.nextTick(emitErrorAndClose, websocket, err);
      } else {
        stream.destroy(err);
        stream.once("error", websocket.emit.bind(websocket, "error"));
        stream.once("close", websocket.emitClose.bind(websocket));
      }
    }
    function sendAfterClose(websocket, data, cb) {
      if (data) {
        const length = isBlob(data) ? data.size : toBuffer(data).length;
        if (websocket._socket) websocket._sender._bufferedBytes += length;
        else websocket._bufferedAmount += length;
      }
      if (cb) {
        const err = new Error(
          `WebSocket is not open: readyState ${websocket.readyState} (${readyStates[websocket.readyState]})`
        );
        process.nextTick(cb, err);
      }
    }
    function receiverOnConclude(code, reason) {
      const websocket = this[kWebSocket];
      websocket._closeFrameReceived = true;
      websocket._closeCode = code;
      if (reason.length === 0) {
        websocket._closeMessage = EMPTY_BUFFER;
      } else {
        websocket._closeMessage = Buffer.allocUnsafeSlow(reason.length);
        websocket._closeMessage.set(reason);
      }
      if (websocket._socket[kWebSocket] === void 0) return;
      websocket._socket.removeListener("data", socketOnData);
      process.nextTick(resume, websocket._socket);
      if (code === 1005) websocket.close();
      else websocket.close(code, reason);
    }
    function receiverOnDrain() {
      const websocket = this[kWebSocket];
      if (!websocket.isPaused) websocket._socket.resume();
    }
    function receiverOnError(err) {
      const websocket = this[kWebSocket];
      if (websocket._socket[kWebSocket] !== void 0) {
        websocket._socket.removeListener("data", socketOnData);
        process.nextTick(resume, websocket._socket);
        websocket.close(err[kStatusCode]);
      }
      if (!websocket._errorEmitted) {
        websocket._errorEmitted = true;
        websocket.emit("error", err);
      }
    }
    function receiverOnFinish() {
      this[kWebSocket].emitClose();
    }
    function receiverOnMessage(data, isBinary) {
      this[kWebSocket].emit("message", data, isBinary);
    }
    function receiverOnPing(data) {
      const websocket = this[kWebSocket];
      if (websocket._autoPong) websocket.pong(data, !this._isServer, NOOP);
      websocket.emit("ping", data);
    }
    function receiverOnPong(data) {
      this[kWebSocket].emit("pong", data);
    }
    function resume(stream) {
      stream.resume();
    }
    function senderOnError(err) {
      const websocket = this[kWebSocket];
      if (websocket.readyState === WebSocket2.CLOSED) return;
      if (websocket.readyState === WebSocket2.OPEN) {
        websocket._readyState = WebSocket2.CLOSING;
        setCloseTimer(websocket);
      }
      this._socket.end();
      if (!websocket._errorEmitted) {
        websocket._errorEmitted = true;
        websocket.emit("error", err);
      }
    }
    function setCloseTimer(websocket) {
      websocket._closeTimer = setTimeout(
        websocket._socket.destroy.bind(websocket._socket),
        websocket._closeTimeout
      );
    }
    function socketOnClose() {
      const websocket = this[kWebSocket];
      this.removeListener("close", socketOnClose);
      this.removeListener("data", socketOnData);
      this.removeListener("end", socketOnEnd);
      websocket._readyState = WebSocket2.CLOSING;
      if (!this._readableState.endEmitted && !websocket._closeFrameReceived && !websocket._receiver._writableState.errorEmitted && this._readableState.length !== 0) {
        const chunk = this.read(this._readableState.length);
        websocket._receiver.write(chunk);
      }
      websocket._receiver.end();
      this[kWebSocket] = void 0;
      clearTimeout(websocket._closeTimer);
      if (websocket._receiver._writableState.finished || websocket._receiver._writableState.errorEmitted) {
        websocket.emitClose();
      } else {
        websocket._receiver.on("error", receiverOnFinish);
        websocket._receiver.on("finish", receiverOnFinish);
      }
    }
    function socketOnData(chunk) {
      if (!this[kWebSocket]._receiver.write(chunk)) {
        this.pause();
      }
    }
    function socketOnEnd() {
      const websocket = this[kWebSocket];
      websocket._readyState = WebSocket2.CLOSING;
      websocket._receiver.end();
      this.end();
    }
    function socketOnError() {
      const websocket = this[kWebSocket];
      this.removeListener("error", socketOnError);
      this.on("error", NOOP);
      if (websocket) {
        websocket._readyState = WebSocket2.CLOSING;
        this.destroy();
      }
    }
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/stream.js
var require_stream = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/stream.js"(exports, module) {
    "use strict";
    var WebSocket2 = require_websocket();
    var { Duplex } = __require("stream");
    function emitClose(stream) {
      stream.emit("close");
    }
    function duplexOnEnd() {
      if (!this.destroyed && this._writableState.finished) {
        this.destroy();
      }
    }
    function duplexOnError(err) {
      this.removeListener("error", duplexOnError);
      this.destroy();
      if (this.listenerCount("error") === 0) {
        this.emit("error", err);
      }
    }
    function createWebSocketStream2(ws, options2) {
      let terminateOnDestroy = true;
      const duplex = new Duplex({
        ...options2,
        autoDestroy: false,
        emitClose: false,
        objectMode: false,
        writableObjectMode: false
      });
      ws.on("message", function message(msg, isBinary) {
        const data = !isBinary && duplex._readableState.objectMode ? msg.toString() : msg;
        if (!duplex.push(data)) ws.pause();
      });
      ws.once("error", function error2(err) {
        if (duplex.destroyed) return;
        terminateOnDestroy = false;
        duplex.destroy(err);
      });
      ws.once("close", function close() {
        if (duplex.destroyed) return;
        duplex.push(null);
      });
      duplex._destroy = function(err, callback2) {
        if (ws.readyState === ws.CLOSED) {
          callback2(err);
          process.nextTick(emitClose, duplex);
          return;
        }
        let called = false;
        ws.once("error", function error2(err2) {
          called = true;
          callback2(err2);
        });
        ws.once("close", function close() {
          if (!called) callback2(err);
          process.nextTick(emitClose, duplex);
        });
        if (terminateOnDestroy) ws.terminate();
      };
      duplex._final = function(callback2) {
        if (ws.readyState === ws.CONNECTING) {
          ws.once("open", function open2() {
            duplex._final(callback2);
          });
          return;
        }
        if (ws._socket === null) return;
        if (ws._socket._writableState.finished) {
          callback2();
          if (duplex._readableState.endEmitted) duplex.destroy();
        } else {
          ws._socket.once("finish", function finish() {
            callback2();
          });
          ws.close();
        }
      };
      duplex._read = function() {
        if (ws.isPaused) ws.resume();
      };
      duplex._write = function(chunk, encoding, callback2) {
        if (ws.readyState === ws.CONNECTING) {
          ws.once("open", function open2() {
            duplex._write(chunk, encoding, callback2);
          });
          return;
        }
        ws.send(chunk, callback2);
      };
      duplex.on("end", duplexOnEnd);
      duplex.on("error", duplexOnError);
      return duplex;
    }
    module.exports = createWebSocketStream2;
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/subprotocol.js
var require_subprotocol = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/subprotocol.js"(exports, module) {
    "use strict";
    var { tokenChars } = require_validation();
    function parse(header) {
      const protocols = /* @__PURE__ */ new Set();
      let start = -1;
      let end = -1;
      let i = 0;
      for (i; i < header.length; i++) {
        const code = header.charCodeAt(i);
        if (end === -1 && tokenChars[code] === 1) {
          if (start === -1) start = i;
        } else if (i !== 0 && (code === 32 || code === 9)) {
          if (end === -1 && start !== -1) end = i;
        } else if (code === 44) {
          if (start === -1) {
            throw new SyntaxError(`Unexpected character at index ${i}`);
          }
          if (end === -1) end = i;
          const protocol2 = header.slice(start, end);
          if (protocols.has(protocol2)) {
            throw new SyntaxError(`The "${protocol2}" subprotocol is duplicated`);
          }
          protocols.add(protocol2);
          start = end = -1;
        } else {
          throw new SyntaxError(`Unexpected character at index ${i}`);
        }
      }
      if (start === -1 || end !== -1) {
        throw new SyntaxError("Unexpected end of input");
      }
      const protocol = header.slice(start, i);
      if (protocols.has(protocol)) {
        throw new SyntaxError(`The "${protocol}" subprotocol is duplicated`);
      }
      protocols.add(protocol);
      return protocols;
    }
    module.exports = { parse };
  }
});

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/websocket-server.js
var require_websocket_server = __commonJS({
  "node_modules/.pnpm/ws@8.22.2/node_modules/ws/lib/websocket-server.js"(exports, module) {
    "use strict";
    var EventEmitter = __require("events");
    var http = __require("http");
    var { Duplex } = __require("stream");
    var { createHash } = __require("crypto");
    var extension2 = require_extension();
    var PerMessageDeflate2 = require_permessage_deflate();
    var subprotocol2 = require_subprotocol();
    var WebSocket2 = require_websocket();
    var { CLOSE_TIMEOUT, GUID, kWebSocket } = require_constants();
    var keyRegex = /^[+/0-9A-Za-z]{22}==$/;
    var RUNNING = 0;
    var CLOSING = 1;
    var CLOSED = 2;
    var WebSocketServer2 = class extends EventEmitter {
      /**
       * Create a `WebSocketServer` instance.
       *
       * @param {Object} options Configuration options
       * @param {Boolean} [options.allowSynchronousEvents=true] Specifies whether
       *     any of the `'message'`, `'ping'`, and `'pong'` events can be emitted
       *     multiple times in the same tick
       * @param {Boolean} [options.autoPong=true] Specifies whether or not to
       *     automatically send a pong in response to a ping
       * @param {Number} [options.backlog=511] The maximum length of the queue of
       *     pending connections
       * @param {Boolean} [options.clientTracking=true] Specifies whether or not to
       *     track clients
       * @param {Number} [options.closeTimeout=30000] Duration in milliseconds to
       *     wait for the closing handshake to finish after `websocket.close()` is
       *     called
       * @param {Function} [options.handleProtocols] A hook to handle protocols
       * @param {String} [options.host] The hostname where to bind the server
       * @param {Number} [options.maxBufferedChunks=262144] The maximum number of
       *     buffered data chunks
       * @param {Number} [options.maxFragments=16384] The maximum number of message
       *     fragments
       * @param {Number} [options.maxPayload=104857600] The maximum allowed message
       *     size
       * @param {Boolean} [options.noServer=false] Enable no server mode
       * @param {String} [options.path] Accept only connections matching this path
       * @param {(Boolean|Object)} [options.perMessageDeflate=false] Enable/disable
       *     permessage-deflate
       * @param {Number} [options.port] The port where to bind the server
       * @param {(http.Server|https.Server)} [options.server] A pre-created HTTP/S
       *     server to use
       * @param {Boolean} [options.skipUTF8Validation=false] Specifies whether or
       *     not to skip UTF-8 validation for text and close messages
       * @param {Function} [options.verifyClient] A hook to reject connections
       * @param {Function} [options.WebSocket=WebSocket] Specifies the `WebSocket`
       *     class to use. It must be the `WebSocket` class or class that extends it
       * @param {Function} [callback] A listener for the `listening` event
       */
      constructor(options2, callback2) {
        super();
        options2 = {
          allowSynchronousEvents: true,
          autoPong: true,
          maxBufferedChunks: 256 * 1024,
          maxFragments: 16 * 1024,
          maxPayload: 100 * 1024 * 1024,
          skipUTF8Validation: false,
          perMessageDeflate: false,
          handleProtocols: null,
          clientTracking: true,
          closeTimeout: CLOSE_TIMEOUT,
          verifyClient: null,
          noServer: false,
          backlog: null,
          // use default (511 as implemented in net.js)
          server: null,
          host: null,
          path: null,
          port: null,
          WebSocket: WebSocket2,
          ...options2
        };
        if (options2.port == null && !options2.server && !options2.noServer || options2.port != null && (options2.server || options2.noServer) || options2.server && options2.noServer) {
          throw new TypeError(
            'One and only one of the "port", "server", or "noServer" options must be specified'
          );
        }
        if (options2.port != null) {
          this._server = http.createServer((req, res) => {
            const body = http.STATUS_CODES[426];
            res.writeHead(426, {
              "Content-Length": body.length,
              "Content-Type": "text/plain"
            });
            res.end(body);
          });
          this._server.listen(
            options2.port,
            options2.host,
            options2.backlog,
            callback2
          );
        } else if (options2.server) {
          this._server = options2.server;
        }
        if (this._server) {
          const emitConnection = this.emit.bind(this, "connection");
          this._removeListeners = addListeners(this._server, {
            listening: this.emit.bind(this, "listening"),
            error: this.emit.bind(this, "error"),
            upgrade: (req, socket, head) => {
              this.handleUpgrade(req, socket, head, emitConnection);
            }
          });
        }
        if (options2.perMessageDeflate === true) options2.perMessageDeflate = {};
        if (options2.clientTracking) {
          this.clients = /* @__PURE__ */ new Set();
          this._shouldEmitClose = false;
        }
        this.options = options2;
        this._state = RUNNING;
      }
      /**
       * Returns the bound address, the address family name, and port of the server
       * as reported by the operating system if listening on an IP socket.
       * If the server is listening on a pipe or UNIX domain socket, the name is
       * returned as a string.
       *
       * @return {(Object|String|null)} The address of the server
       * @public
       */
      address() {
        if (this.options.noServer) {
          throw new Error('The server is operating in "noServer" mode');
        }
        if (!this._server) return null;
        return this._server.address();
      }
      /**
       * Stop the server from accepting new connections and emit the `'close'` event
       * when all existing connections are closed.
       *
       * @param {Function} [cb] A one-time listener for the `'close'` event
       * @public
       */
      close(cb) {
        if (this._state === CLOSED) {
          if (cb) {
            this.once("close", () => {
              cb(new Error("The server is not running"));
            });
          }
          process.nextTick(emitClose, this);
          return;
        }
        if (cb) this.once("close", cb);
        if (this._state === CLOSING) return;
        this._state = CLOSING;
        if (this.options.noServer || this.options.server) {
          if (this._server) {
            this._removeListeners();
            this._removeListeners = this._server = null;
          }
          if (this.clients) {
            if (!this.clients.size) {
              process.nextTick(emitClose, this);
            } else {
              this._shouldEmitClose = true;
            }
          } else {
            process.nextTick(emitClose, this);
          }
        } else {
          const server = this._server;
          this._removeListeners();
          this._removeListeners = this._server = null;
          server.close(() => {
            emitClose(this);
          });
        }
      }
      /**
       * See if a given request should be handled by this server instance.
       *
       * @param {http.IncomingMessage} req Request object to inspect
       * @return {Boolean} `true` if the request is valid, else `false`
       * @public
       */
      shouldHandle(req) {
        if (this.options.path) {
          const index = req.url.indexOf("?");
          const pathname = index !== -1 ? req.url.slice(0, index) : req.url;
          if (pathname !== this.options.path) return false;
        }
        return true;
      }
      /**
       * Handle a HTTP Upgrade request.
       *
       * @param {http.IncomingMessage} req The request object
       * @param {Duplex} socket The network socket between the server and client
       * @param {Buffer} head The first packet of the upgraded stream
       * @param {Function} cb Callback
       * @public
       */
      handleUpgrade(req, socket, head, cb) {
        socket.on("error", socketOnError);
        const key = req.headers["sec-websocket-key"];
        const upgrade = req.headers.upgrade;
        const version = +req.headers["sec-websocket-version"];
        if (req.method !== "GET") {
          const message = "Invalid HTTP method";
          abortHandshakeOrEmitwsClientError(this, req, socket, 405, message);
          return;
        }
        if (upgrade === void 0 || upgrade.toLowerCase() !== "websocket") {
          const message = "Invalid Upgrade header";
          abortHandshakeOrEmitwsClientError(this, req, socket, 400, message);
          return;
        }
        if (key === void 0 || !keyRegex.test(key)) {
          const message = "Missing or invalid Sec-WebSocket-Key header";
          abortHandshakeOrEmitwsClientError(this, req, socket, 400, message);
          return;
        }
        if (version !== 13 && version !== 8) {
          const message = "Missing or invalid Sec-WebSocket-Version header";
          abortHandshakeOrEmitwsClientError(this, req, socket, 400, message, {
            "Sec-WebSocket-Version": "13, 8"
          });
          return;
        }
        if (!this.shouldHandle(req)) {
          abortHandshake(socket, 400);
          return;
        }
        const secWebSocketProtocol = req.headers["sec-websocket-protocol"];
        let protocols = /* @__PURE__ */ new Set();
        if (secWebSocketProtocol !== void 0) {
          try {
            protocols = subprotocol2.parse(secWebSocketProtocol);
          } catch (err) {
            const message = "Invalid Sec-WebSocket-Protocol header";
            abortHandshakeOrEmitwsClientError(this, req, socket, 400, message);
            return;
          }
        }
        const secWebSocketExtensions = req.headers["sec-websocket-extensions"];
        const extensions = {};
        if (this.options.perMessageDeflate && secWebSocketExtensions !== void 0) {
          const perMessageDeflate = new PerMessageDeflate2({
            ...this.options.perMessageDeflate,
            isServer: true,
            maxPayload: this.options.maxPayload
          });
          try {
            const offers = extension2.parse(secWebSocketExtensions);
            if (offers[PerMessageDeflate2.extensionName]) {
              perMessageDeflate.accept(offers[PerMessageDeflate2.extensionName]);
              extensions[PerMessageDeflate2.extensionName] = perMessageDeflate;
            }
          } catch (err) {
            const message = "Invalid or unacceptable Sec-WebSocket-Extensions header";
            abortHandshakeOrEmitwsClientError(this, req, socket, 400, message);
            return;
          }
        }
        if (this.options.verifyClient) {
          const info = {
            origin: req.headers[`${version === 8 ? "sec-websocket-origin" : "origin"}`],
            secure: !!(req.socket.authorized || req.socket.encrypted),
            req
          };
          if (this.options.verifyClient.length === 2) {
            this.options.verifyClient(info, (verified, code, message, headers) => {
              if (!verified) {
                return abortHandshake(socket, code || 401, message, headers);
              }
              this.completeUpgrade(
                extensions,
                key,
                protocols,
                req,
                socket,
                head,
                cb
              );
            });
            return;
          }
          if (!this.options.verifyClient(info)) return abortHandshake(socket, 401);
        }
        this.completeUpgrade(extensions, key, protocols, req, socket, head, cb);
      }
      /**
       * Upgrade the connection to WebSocket.
       *
       * @param {Object} extensions The accepted extensions
       * @param {String} key The value of the `Sec-WebSocket-Key` header
       * @param {Set} protocols The subprotocols
       * @param {http.IncomingMessage} req The request object
       * @param {Duplex} socket The network socket between the server and client
       * @param {Buffer} head The first packet of the upgraded stream
       * @param {Function} cb Callback
       * @throws {Error} If called more than once with the same socket
       * @private
       */
      completeUpgrade(extensions, key, protocols, req, socket, head, cb) {
        if (!socket.readable || !socket.writable) return socket.destroy();
        if (socket[kWebSocket]) {
          throw new Error(
            "server.handleUpgrade() was called more than once with the same socket, possibly due to a misconfiguration"
          );
        }
        if (this._state > RUNNING) return abortHandshake(socket, 503);
        const digest = createHash("sha1").update(key + GUID).digest("base64");
        const headers = [
          "HTTP/1.1 101 Switching Protocols",
          "Upgrade: websocket",
          "Connection: Upgrade",
          `Sec-WebSocket-Accept: ${digest}`
        ];
        const ws = new this.options.WebSocket(null, void 0, this.options);
        if (protocols.size) {
          const protocol = this.options.handleProtocols ? this.options.handleProtocols(protocols, req) : protocols.values().next().value;
          if (protocol) {
            headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
            ws._protocol = protocol;
          }
        }
        if (extensions[PerMessageDeflate2.extensionName]) {
          const params = extensions[PerMessageDeflate2.extensionName].params;
          const value = extension2.format({
            [PerMessageDeflate2.extensionName]: [params]
          });
          headers.push(`Sec-WebSocket-Extensions: ${value}`);
          ws._extensions = extensions;
        }
        this.emit("headers", headers, req);
        socket.write(headers.concat("\r\n").join("\r\n"));
        socket.removeListener("error", socketOnError);
        ws.setSocket(socket, head, {
          allowSynchronousEvents: this.options.allowSynchronousEvents,
          maxBufferedChunks: this.options.maxBufferedChunks,
          maxFragments: this.options.maxFragments,
          maxPayload: this.options.maxPayload,
          skipUTF8Validation: this.options.skipUTF8Validation
        });
        if (this.clients) {
          this.clients.add(ws);
          ws.on("close", () => {
            this.clients.delete(ws);
            if (this._shouldEmitClose && !this.clients.size) {
              process.nextTick(emitClose, this);
            }
          });
        }
        cb(ws, req);
      }
    };
    module.exports = WebSocketServer2;
    function addListeners(server, map) {
      for (const event of Object.keys(map)) server.on(event, map[event]);
      return function removeListeners() {
        for (const event of Object.keys(map)) {
          server.removeListener(event, map[event]);
        }
      };
    }
    function emitClose(server) {
      server._state = CLOSED;
      server.emit("close");
    }
    function socketOnError() {
      this.destroy();
    }
    function abortHandshake(socket, code, message, headers) {
      message = message || http.STATUS_CODES[code];
      headers = {
        Connection: "close",
        "Content-Type": "text/html",
        "Content-Length": Buffer.byteLength(message),
        ...headers
      };
      socket.once("finish", socket.destroy);
      socket.end(
        `HTTP/1.1 ${code} ${http.STATUS_CODES[code]}\r
` + Object.keys(headers).map((h) => `${h}: ${headers[h]}`).join("\r\n") + "\r\n\r\n" + message
      );
    }
    function abortHandshakeOrEmitwsClientError(server, req, socket, code, message, headers) {
      if (server.listenerCount("wsClientError")) {
        const err = new Error(message);
        Error.captureStackTrace(err, abortHandshakeOrEmitwsClientError);
        server.emit("wsClientError", err, socket, req);
      } else {
        abortHandshake(socket, code, message, headers);
      }
    }
  }
});

// tests/bench/payloads/payloads.ts
import { mkdirSync as mkdirSync3, mkdtempSync as mkdtempSync3, rmSync as rmSync2, writeFileSync as writeFileSync4 } from "node:fs";
import { homedir, loadavg } from "node:os";
import { join as join9 } from "node:path";
import { parseArgs } from "node:util";

// tests/bench/report/our-version.ts
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
var manifest = new URL("../../../apps/codex/package.json", import.meta.url);
function ourVersion() {
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  try {
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: new URL(".", manifest),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    });
    return `${version} (${commit.trim()})`;
  } catch {
    return version;
  }
}

// tests/bench/scenario.ts
var isBetterWhenLower = (unit) => unit === "ms" || unit === "MiB";

// tests/bench/report/machine.ts
import { existsSync, readFileSync as readFileSync2 } from "node:fs";
import { arch, cpus, release, totalmem, type } from "node:os";
function describeMachine() {
  return {
    system: `${distribution()} (${type()} ${release()}, ${arch()})`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version
  };
}
function machineSentence({ system, cpu, cores, memoryGiB, node }) {
  return `${system}; ${cores} x ${cpu}, ${memoryGiB} GiB; Node ${node}`;
}
function distribution() {
  if (!existsSync("/etc/os-release")) return type();
  return /^PRETTY_NAME="(.*)"/m.exec(readFileSync2("/etc/os-release", "utf8"))?.[1] ?? type();
}

// tests/bench/report/statistics.ts
function quantile(samples, q) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}
var median = (samples) => quantile(samples, 0.5);

// tests/bench/report/report.ts
function buildReport(measurements, options2) {
  const rows = measurements.map((measurement) => buildRow(measurement, options2));
  return { date: (/* @__PURE__ */ new Date()).toISOString(), machine: describeMachine(), ...options2, rows };
}
function buildRow({ scenario: scenario2, samples }, { columns, peer }) {
  const { name, unit } = scenario2;
  const figures = {};
  for (const column of columns) {
    const values = samples.get(column) ?? [];
    if (values.length > 0) figures[column] = summarize(values);
  }
  const [ours = "", ...others] = columns;
  const own = figures[ours]?.median;
  const ratios = {};
  for (const column of others) {
    const theirs = figures[column]?.median;
    if (own === void 0 || theirs === void 0) continue;
    ratios[column] = isBetterWhenLower(unit) ? theirs / own : own / theirs;
  }
  return { name, unit, goal: judge(scenario2, { figures, ratios, ours, peer }), figures, ratios };
}
function summarize(values) {
  return {
    median: median(values),
    p10: quantile(values, 0.1),
    p90: quantile(values, 0.9),
    samples: values.length
  };
}
function judge(scenario2, { figures, ratios, ours, peer }) {
  const { goal, goalBeyondNodeMs, unit } = scenario2;
  if (goal !== void 0) {
    if (peer === null) return null;
    const text3 = unit === "MiB" ? `\u2264 ${(1 / goal).toFixed(1)}x` : `\u2265 ${goal}x`;
    return { text: text3, met: (ratios[peer] ?? 0) >= goal };
  }
  if (goalBeyondNodeMs === void 0) return null;
  const own = figures[ours]?.median ?? Number.NaN;
  const limit = figures["bare Node"]?.median ?? Number.NaN;
  return { text: `\u2264 Node + ${goalBeyondNodeMs} ms`, met: own - limit <= goalBeyondNodeMs };
}

// tests/bench/report/table.ts
function renderTable(report) {
  const [ours = ""] = report.columns;
  const others = report.columns.slice(1);
  const header = ["", ours, "goal"];
  for (const column of others) header.push(column, "ratio");
  const rows = report.rows.map((row) => {
    const cells = [row.name, figureText(row, ours), goalText(row)];
    for (const column of others) cells.push(figureText(row, column), ratioText(row, column));
    return cells;
  });
  const { date, machine, rounds, load, version } = report;
  const when = date.slice(0, 16).replace("T", " ");
  return [
    ...alignColumns([header, ...rows]),
    "",
    `${when} UTC; ours ${version}; ${machineSentence(machine)}; medians of ${rounds} interleaved rounds; load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after. A ratio says how many times better ${ours} is.`
  ].join("\n");
}
function figureText({ figures, unit }, column) {
  const value = figures[column]?.median;
  if (value === void 0) return "";
  if (Number.isNaN(value)) return "failed";
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
}
function ratioText({ ratios }, column) {
  const ratio = ratios[column];
  if (ratio === void 0 || Number.isNaN(ratio)) return "";
  return `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`;
}
var goalText = ({ goal }) => goal === null ? "" : `${goal.text} ${goal.met ? "\u2713" : "\u2717"}`;
function alignColumns(rows) {
  const widths = (rows[0] ?? []).map(
    (_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? "").length))
  );
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const [header, ...body] = rows.map(
    (row) => line(
      row.map(
        (cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
      )
    )
  );
  const rule = line(
    widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)
  );
  return [header ?? "", rule, ...body];
}

// tests/bench/subjects/ssh-subject.ts
import { execFileSync as execFileSync3 } from "node:child_process";
import { existsSync as existsSync2, mkdtempSync, rmSync } from "node:fs";

// tests/bench/subjects/ssh-host.ts
import { execFileSync as execFileSync2, spawn } from "node:child_process";
import { mkdirSync, readFileSync as readFileSync3, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
var SSHD = "/usr/sbin/sshd";
var STARTS_WITHIN_MS = 5e3;
var SshHost = class _SshHost {
  #daemon;
  #options;
  constructor(daemon, options2) {
    this.#daemon = daemon;
    this.#options = options2;
  }
  /** `folder` takes the keys, the configuration and the control socket; its path must be short for the latter. */
  static async start(folder2) {
    const key = join(folder2, "key");
    for (const file of [key, join(folder2, "host-key")]) {
      execFileSync2("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
    }
    if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 493 });
    const port = await freePort();
    writeFileSync(join(folder2, "authorized"), readFileSync3(`${key}.pub`), { mode: 384 });
    writeFileSync(join(folder2, "sshd.conf"), daemonConfig(folder2, port));
    const daemon = spawn(SSHD, ["-D", "-f", join(folder2, "sshd.conf")], { stdio: "ignore" });
    const control = join(folder2, "control");
    const options2 = ["-F", "none", "-p", String(port), "-i", key, "-S", control, "-o", "LogLevel=ERROR"];
    options2.push(
      "-o",
      "StrictHostKeyChecking=no",
      "-o",
      "UserKnownHostsFile=/dev/null",
      "-o",
      "BatchMode=yes"
    );
    const host = new _SshHost(daemon, [...options2, `${userInfo().username}@127.0.0.1`]);
    try {
      await host.#openMaster();
    } catch (error2) {
      await host.stop();
      throw error2;
    }
    return host;
  }
  get daemonPid() {
    return this.#daemon.pid ?? 0;
  }
  /** `ssh … HOST`, for a shell. */
  get commandLine() {
    return ["ssh", ...this.#options].join(" ");
  }
  /** The process that holds the connection, at this end. */
  masterPid() {
    const answer = execFileSync2("sh", ["-c", `ssh -O check ${this.#options.join(" ")} 2>&1`], {
      encoding: "utf8"
    });
    return Number(/pid=(\d+)/.exec(answer)?.[1] ?? 0);
  }
  spawn(command, { tty = false } = {}) {
    const args = tty ? ["-tt", ...this.#options, command] : [...this.#options, command];
    return spawn("ssh", args, { stdio: ["pipe", "pipe", "ignore"] });
  }
  /** Runs a command to its end and returns how many bytes it wrote. */
  run(command, options2 = {}) {
    return new Promise((resolve, reject) => {
      const child = this.spawn(command, options2);
      let bytes = 0;
      child.stdout.on("data", (block) => {
        bytes += block.length;
      });
      if (options2.tty !== true) child.stdin.end(options2.input);
      child.on("error", reject);
      child.on("close", (code) => {
        if (code === 0) resolve(bytes);
        else reject(new Error(`ssh \u2026 ${command} ended with ${code}`));
      });
    });
  }
  async stop() {
    try {
      execFileSync2("ssh", ["-O", "exit", ...this.#options], { stdio: "ignore" });
    } catch {
    }
    if (this.#daemon.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#daemon.once("exit", resolve));
    this.#daemon.kill("SIGTERM");
    await ended;
  }
  async #openMaster() {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    for (; ; ) {
      try {
        execFileSync2("ssh", ["-M", "-N", "-f", ...this.#options], { stdio: "ignore" });
        return;
      } catch (error2) {
        if (performance.now() > deadline) throw error2;
        await delay(50);
      }
    }
  }
};
function daemonConfig(folder2, port) {
  return [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(folder2, "host-key")}`,
    `AuthorizedKeysFile ${join(folder2, "authorized")}`,
    `PidFile ${join(folder2, "sshd.pid")}`,
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
    "UsePAM no",
    "StrictModes no",
    "PrintMotd no",
    "PrintLastLog no",
    // A login shell reads its start-up files even for one command; those of this user are no part of OpenSSH.
    `SetEnv HOME=${folder2}`,
    "MaxSessions 1000",
    ""
  ].join("\n");
}
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

// tests/bench/subjects/ssh-subject.ts
function isSshInstalled(say2) {
  const isThere = () => existsSync2("/usr/sbin/sshd") && existsSync2("/usr/bin/ssh");
  if (isThere()) return true;
  const mayInstall = process.getuid?.() === 0 && existsSync2("/usr/bin/apt-get") && !existsSync2("/run/systemd/system");
  if (!mayInstall) {
    say2("OpenSSH is left out: no sshd here. `apt-get install openssh-server` adds the column.");
    return false;
  }
  say2("Installing openssh-server with apt-get, for the OpenSSH column \u2026");
  try {
    const args = ["install", "-y", "--no-install-recommends", "openssh-server", "openssh-client"];
    execFileSync3("apt-get", args, { stdio: ["ignore", "ignore", 2] });
  } catch {
    say2("OpenSSH is left out: apt-get could not install it.");
  }
  return isThere();
}
function sshVersion() {
  const line = execFileSync3("sh", ["-c", "ssh -V 2>&1"], { encoding: "utf8" });
  return `OpenSSH ${/OpenSSH_([\w.]+)/.exec(line)?.[1] ?? ""}`.trim();
}

// tests/bench/payloads/material.ts
import { mkdirSync as mkdirSync2, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join2 } from "node:path";
var MIB = 1024 * 1024;
var BULK_BYTES = 64 * MIB;
var LONG_BYTES = 512 * MIB;
var LARGE_BYTES = 64 * MIB;
var TREE_FILES = 2e3;
var FILES_PER_FOLDER = 50;
var contents;
function largeContents() {
  contents ??= Buffer.alloc(LARGE_BYTES, "what is moved, ");
  return contents;
}
function layOut(folder2) {
  writeFileSync2(join2(folder2, "large"), largeContents());
  for (let index = 0; index < TREE_FILES; index += 1) {
    const directory = join2(folder2, "tree", `folder-${Math.floor(index / FILES_PER_FOLDER)}`);
    if (index % FILES_PER_FOLDER === 0) mkdirSync2(directory, { recursive: true });
    const text3 = `export const value = ${index};
`.repeat(1 + index % 100);
    writeFileSync2(join2(directory, `file-${index}.ts`), text3);
  }
}

// tests/bench/payloads/node-way.ts
import { spawn as spawn2 } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join as join3 } from "node:path";
var nodeWay = {
  name: "bare Node",
  async open(folder2) {
    const target = join3(folder2, "target");
    const copyTree = () => cp(join3(folder2, "tree"), target, { recursive: true, preserveTimestamps: true });
    return {
      jobs: {
        "bulk output": () => run(["head", "-c", String(BULK_BYTES), "/dev/zero"]),
        "long output": () => run(["head", "-c", String(LONG_BYTES), "/dev/zero"]),
        "bulk input": () => run(["sh", "-c", "cat > /dev/null"], largeContents()),
        "read a large file": () => readFile(join3(folder2, "large")),
        "write a large file": () => writeFile(join3(folder2, "written"), largeContents()),
        "upload a large file": () => cp(join3(folder2, "large"), join3(folder2, "uploaded")),
        "upload 2,000 files": copyTree,
        "download 2,000 files": copyTree,
        "remove the target": () => rm(target, { recursive: true, force: true })
      },
      processIds: () => [],
      close: async () => void 0
    };
  }
};
function run([command = "", ...args], input) {
  return new Promise((resolve, reject) => {
    const child = spawn2(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.resume();
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

// tests/bench/payloads/our-way.ts
import { rm as rm4 } from "node:fs/promises";
import { join as join7 } from "node:path";

// packages/rpc/src/clock.ts
var LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
var systemClock = runtimeClock(() => {
});
var backgroundClock = runtimeClock((timer) => {
  if (typeof timer === "object") timer.unref();
});
function runtimeClock(started) {
  return {
    now: () => performance.now(),
    schedule(delayMs, action) {
      const timer = setTimeout(action, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
      started(timer);
      return { cancel: () => clearTimeout(timer) };
    }
  };
}
function sleep(clock, delayMs, signal) {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      timer.cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = clock.schedule(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

// packages/protocol/src/errors/coded-error.ts
var CodedError = class extends Error {
  code;
  details;
  constructor(code, message, options2 = {}) {
    super(message, "cause" in options2 ? { cause: options2.cause } : void 0);
    this.code = code;
    this.details = options2.details ?? {};
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true });
  }
};

// packages/protocol/src/errors/errors.ts
var RpcErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32004,
  sessionAttached: -32010,
  notPermitted: -32011
};
var RpcError = class extends Error {
  /** One of `RpcErrorCode` when this side made it; any integer when a peer sent it. */
  code;
  constructor(code, message, options2 = {}) {
    super(message, "cause" in options2 ? { cause: options2.cause } : void 0);
    this.code = code;
    if (options2.data !== void 0) this.data = options2.data;
    Object.defineProperty(this, "name", { value: "RpcError", configurable: true });
  }
};
var error = (code) => (message) => new RpcError(code, message);
var invalidRequest = error(RpcErrorCode.invalidRequest);
var invalidParams = error(RpcErrorCode.invalidParams);
var internalError = error(RpcErrorCode.internal);

// packages/protocol/src/limits.ts
var MAX_JSON_VALUES = 262144;
var MAX_JSON_DEPTH = 127;
var MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
var MAX_FILE_BLOCK_BYTES = 1024 * 1024;
var MAX_HTTP_BODY_DELTA_BYTES = 1024 * 1024;
var MAX_READ_FILE_BYTES = 512 * 1024 * 1024;
var MAX_WALK_DEPTH = 64;
var MAX_WALK_DIRECTORIES = 1e4;
var MAX_WALK_ENTRIES = 5e4;
var MAX_WALK_RESPONSE_BYTES = 4 * 1024 * 1024;
var MAX_TREE_ENTRIES = 4096;
var MAX_TREE_DEPTH = 128;
var TREE_PAYLOAD_BYTES = 2 * 1024 * 1024;
var MAX_EXCLUDE_PATTERNS = 1e3;
var MAX_EXCLUDE_PATTERN_LENGTH = 1024;
var MAX_EXCLUDE_LENGTH = 16 * 1024;
var NO_REQUEST_ID = -1;

// packages/protocol/src/generated/method-table.ts
var METHODS = /* @__PURE__ */ Object.freeze({
  "initialize": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "session", grant: "anyone" }),
  "initialized": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "clientToServer", family: "session", grant: "anyone" }),
  "environment/info": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "environment info", grant: "anyone" }),
  "environment/status": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "environment status", grant: "anyone" }),
  "environmentConfig/read": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "environment config", capability: "environmentConfigRead", grant: "own" }),
  "process/start": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", grant: "own", changes: true }),
  "process/read": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", resultPayloads: ["chunks[].chunk"], grant: "own" }),
  "process/write": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", payload: "chunk", grant: "own", changes: true }),
  "process/closeStdin": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", capability: "processCloseStdin", grant: "own", changes: true }),
  "process/resize": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", capability: "processResize", grant: "own", changes: true }),
  "process/signal": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", grant: "own", changes: true }),
  "process/terminate": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", grant: "own", changes: true }),
  "process/wait": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", capability: "processWait", grant: "own" }),
  "process/snapshot": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", resultPayloads: ["stdout", "stderr", "terminal"], capability: "processSnapshot", grant: "own" }),
  "process/list": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "exec", capability: "processList", grant: "own" }),
  "process/output": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "exec", payload: "chunk" }),
  "process/exited": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "exec" }),
  "process/closed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "exec" }),
  "process/started": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "exec", capability: "lifecycleNotifications" }),
  "process/failed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "exec", capability: "lifecycleNotifications" }),
  "fs/readFile": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", resultPayloads: ["dataBase64"], grant: "own" }),
  "fs/writeFile": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", payload: "dataBase64", grant: "own", changes: true }),
  "fs/open": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own", changes: true }),
  "fs/readBlock": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", resultPayloads: ["chunk"], grant: "own" }),
  "fs/writeBlock": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", payload: "chunk", capability: "fileWriteStreaming", grant: "own", changes: true }),
  "fs/close": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own" }),
  "fs/createDirectory": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own", changes: true }),
  "fs/getMetadata": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own" }),
  "fs/canonicalize": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own" }),
  "fs/readDirectory": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own" }),
  "fs/walk": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own" }),
  "fs/remove": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own", changes: true }),
  "fs/copy": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", grant: "own", changes: true }),
  "fs/rename": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", capability: "fsRename", grant: "own", changes: true }),
  "fs/writeTree": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", payload: "dataBase64", capability: "fileTrees", grant: "own", changes: true }),
  "fs/readTree": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", resultPayloads: ["dataBase64"], capability: "fileTrees", grant: "own" }),
  "fs/watch": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", capability: "fsWatch", grant: "own" }),
  "fs/unwatch": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", capability: "fsWatch", grant: "own" }),
  "fs/changed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "filesystem", capability: "fsWatch" }),
  "fs/watchMissing": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "filesystem", capability: "fsWatchMissing", grant: "own" }),
  "fs/missingChanged": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "filesystem", capability: "fsWatchMissing" }),
  "capabilityRoots/discoverV1": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "capability discovery", grant: "own" }),
  "capabilities/discoverV2": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "capability discovery", capability: "capabilityDiscoveryV2", grant: "own" }),
  "http/request": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "http", resultPayloads: ["bodyBase64"], grant: "own", changes: true }),
  "http/request/bodyDelta": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "http", payload: "deltaBase64" }),
  "sessions/list": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "sessionObserve", grant: "observe" }),
  "observe/processes": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "sessionObserve", grant: "observe" }),
  "observe/open": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "sessionObserve", grant: "observe" }),
  "observe/close": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "sessionObserve", grant: "observe" }),
  "observe/ack": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "clientToServer", family: "observer", capability: "sessionObserve", grant: "observe" }),
  "observe/read": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", resultPayloads: ["chunks[].chunk"], capability: "sessionObserve", grant: "observe" }),
  "observe/output": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", payload: "chunk", capability: "sessionObserve" }),
  "observe/gap": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", capability: "sessionObserve" }),
  "observe/resized": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", capability: "sessionObserve" }),
  "observe/exited": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", capability: "sessionObserve" }),
  "observe/closed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", capability: "sessionObserve" }),
  "observe/ended": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "observer", capability: "sessionObserve" }),
  "observe/readDirectory": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "observeFiles", grant: "files" }),
  "observe/readFile": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", resultPayloads: ["chunk"], capability: "observeFiles", grant: "files" }),
  "journal/read": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "journal", capability: "sessionJournal", grant: "observe" }),
  "journal/subscribe": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "journal", capability: "sessionJournal", grant: "observe" }),
  "journal/unsubscribe": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "journal", capability: "sessionJournal", grant: "observe" }),
  "journal/events": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "journal", capability: "sessionJournal" }),
  "sandbox/explain": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "observer", capability: "sandboxExplain", grant: "denials" }),
  "control/signal": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "control", capability: "sessionControl", grant: "stop", changes: true }),
  "control/terminate": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "control", capability: "sessionControl", grant: "stop", changes: true }),
  "control/write": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "control", capability: "sessionControl", grant: "type", changes: true }),
  "control/resize": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "control", capability: "sessionControl", grant: "type", changes: true }),
  "session/observed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "session", capability: "sessionObserve" }),
  "session/intervention": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "session", capability: "sessionControl" }),
  "approvals/ask": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "approval", capability: "approvals", grant: "own", changes: true }),
  "approvals/withdraw": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "approval", capability: "approvals", grant: "own", changes: true }),
  "approvals/list": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "approval", capability: "approvals", grant: "approve" }),
  "approvals/decide": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "approval", capability: "approvals", grant: "approve", changes: true }),
  "approvals/changed": /* @__PURE__ */ Object.freeze({ kind: "notification", direction: "serverToClient", family: "approval", capability: "approvals" }),
  "console/createTicket": /* @__PURE__ */ Object.freeze({ kind: "request", direction: "clientToServer", family: "console", capability: "consoleTickets", grant: "own", changes: true })
});

// packages/protocol/src/method-lists.ts
var PAYLOAD_MEMBERS = new Map(
  Object.entries(METHODS).flatMap(
    ([method, info]) => "payload" in info ? [[method, info.payload]] : []
  )
);
var RESULT_PAYLOADS = new Map(
  Object.entries(METHODS).flatMap(
    ([method, info]) => "resultPayloads" in info ? [[method, info.resultPayloads]] : []
  )
);
var METHOD_CAPABILITIES = [
  ...new Set(Object.values(METHODS).flatMap((info) => "capability" in info ? [info.capability] : []))
];

// packages/protocol/src/runtime.ts
var runtime = globalThis;

// packages/protocol/src/path/path-bytes.ts
function isAscii(text3) {
  for (let index = 0; index < text3.length; index++) if (text3.charCodeAt(index) > 127) return false;
  return true;
}
function bytesToBinary(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return binary;
}
function binaryToBytes(binary) {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
function toBinary(text3) {
  return isAscii(text3) ? text3 : bytesToBinary(new runtime.TextEncoder().encode(text3));
}
function fromBinary(binary) {
  const bytes = binaryToBytes(binary);
  if (isAscii(binary)) return { path: binary, bytes };
  try {
    const path = new runtime.TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, bytes };
  } catch {
    return { path: void 0, bytes };
  }
}
function foldPath(path) {
  const kept = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

// packages/protocol/src/wire/base64-plain.ts
var ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
var INVALID = 255;
var PAD = 61;
var VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;
var valueAt = (text3, index) => VALUES[text3.charCodeAt(index)] ?? INVALID;
function paddingOf(text3) {
  if (text3.charCodeAt(text3.length - 1) !== PAD) return 0;
  return text3.charCodeAt(text3.length - 2) === PAD ? 2 : 1;
}
function decodeBase64Plain(text3) {
  if (text3.length % 4 !== 0) return void 0;
  const padding = text3.length === 0 ? 0 : paddingOf(text3);
  const symbols = text3.length - padding;
  const bytes = new Uint8Array(text3.length / 4 * 3 - padding);
  let bits = 0;
  let held = 0;
  let out = 0;
  for (let index = 0; index < symbols; index++) {
    const value = valueAt(text3, index);
    if (value === INVALID) return void 0;
    bits = bits << 6 | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[out++] = bits >> held;
      bits &= (1 << held) - 1;
    }
  }
  return bits === 0 ? bytes : void 0;
}
function encodeBase64Plain(bytes) {
  let text3 = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const group = (bytes[index] ?? 0) << 16 | (bytes[index + 1] ?? 0) << 8 | (bytes[index + 2] ?? 0);
    const present = Math.min(3, bytes.length - index) + 1;
    for (let symbol = 0; symbol < 4; symbol++) {
      text3 += symbol < present ? ALPHABET[group >> 18 - 6 * symbol & 63] : "=";
    }
  }
  return text3;
}

// packages/protocol/src/wire/base64.ts
var WIDE = /[\u0100-\uffff]/;
var PIECE = 64 * 1024;
function decodedLength(length, tail) {
  if (length % 4 !== 0) return void 0;
  const padding = tail.endsWith("==") ? 2 : tail.endsWith("=") ? 1 : 0;
  return length / 4 * 3 - padding;
}
function hasCanonicalTail(tail) {
  if (!tail.endsWith("=")) return true;
  return decodeBase64Plain(tail) !== void 0;
}
function hasForeignSymbol(text3) {
  return text3.includes("-") || text3.includes("_") || WIDE.test(text3);
}
function decodeWithBuffer(Buffer17, text3, expected) {
  if (text3.length > PIECE) {
    const long = { length: text3.length, piece: (from, to) => text3.slice(from, to) };
    return decodePieces(long, Buffer17.allocUnsafeSlow(expected));
  }
  if (hasForeignSymbol(text3)) return void 0;
  const bytes = Buffer17.from(text3, "base64");
  return bytes.length === expected ? bytes : void 0;
}
function decodePieces({ length, piece }, bytes) {
  let written = 0;
  for (let from = 0; from < length; from += PIECE) {
    const text3 = piece(from, Math.min(from + PIECE, length));
    if (hasForeignSymbol(text3)) return void 0;
    written += bytes.write(text3, written, "base64");
    if (written !== Math.min((from + text3.length) / 4 * 3, bytes.length)) return void 0;
  }
  return bytes;
}
function decodeWithUint8Array(text3, expected) {
  try {
    const bytes = runtime.Uint8Array.fromBase64?.(text3, { lastChunkHandling: "strict" });
    return bytes?.length === expected ? bytes : void 0;
  } catch {
    return void 0;
  }
}
function decodeBase64(text3) {
  const { Buffer: Buffer17 } = runtime;
  const tail = text3.slice(-4);
  const expected = decodedLength(text3.length, tail);
  if (expected === void 0 || !hasCanonicalTail(tail)) return void 0;
  if (Buffer17 !== void 0) return decodeWithBuffer(Buffer17, text3, expected);
  if (runtime.Uint8Array.fromBase64 !== void 0) return decodeWithUint8Array(text3, expected);
  return decodeBase64Plain(text3);
}
function decodeBase64Bytes(source, allocate) {
  const { Buffer: Buffer17 } = runtime;
  if (Buffer17 === void 0) return void 0;
  const text3 = Buffer17.from(source.buffer, source.byteOffset, source.byteLength);
  const { length } = text3;
  const tail = text3.toString("latin1", Math.max(0, length - 4), length);
  const expected = decodedLength(length, tail);
  if (expected === void 0 || !hasCanonicalTail(tail)) return void 0;
  const memory = allocate(expected);
  const long = { length, piece: (from, to) => text3.toString("latin1", from, to) };
  return decodePieces(long, Buffer17.from(memory.buffer, memory.byteOffset, expected));
}
function encodeBase64(bytes) {
  const { Buffer: Buffer17 } = runtime;
  if (Buffer17 !== void 0) {
    return Buffer17.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  }
  const native = bytes;
  return native.toBase64 === void 0 ? encodeBase64Plain(bytes) : native.toBase64();
}

// packages/protocol/src/path/path-encoding.ts
var OPAQUE_PREFIX = "/%00/bad/path/";
var ENCODED = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/[\]^|]/g;
var percent = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
function isDriveSegment(pathname) {
  return /^\/[A-Za-z](?::|%3A)(?:\/|$)/i.test(pathname);
}
function toBase64Url(binary) {
  return encodeBase64(binaryToBytes(binary)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function decodeOpaquePath(text3) {
  if (!/^[A-Za-z0-9_-]+$/.test(text3)) return void 0;
  const standard = text3.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, "="));
  return bytes === void 0 ? void 0 : bytesToBinary(bytes);
}
function encodePath(binary) {
  if (/^\/[A-Za-z]:(?:\/|$)/.test(binary)) return `file://${OPAQUE_PREFIX}${toBase64Url(binary)}`;
  const encoded = binary.replace(ENCODED, percent);
  return `file://${encoded.replace(/^(\/[A-Za-z])\|(?=\/|$)/, "$1%7C")}`;
}

// packages/protocol/src/path/path-uri.ts
var PathUriError = class extends CodedError {
};
var PLAIN_URI = /^file:\/\/((?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~!$&'()*+,;=@-]+)+)$/;
var PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\x20-\x2e\x30-\x7e]+)+$/;
var invalid = (message) => new PathUriError("PATH_URI_INVALID", message);
var notOn = (code, uri, platform2) => new PathUriError(code, `'${uri}' is invalid on '${platform2}'`);
function parseUrl(text3) {
  try {
    return new runtime.URL(text3);
  } catch (cause) {
    const isRelative = !/^\s*[A-Za-z][A-Za-z0-9+.-]*:/.test(text3);
    const reason = isRelative ? "relative URL without a base (expected a `file:` URI or an absolute path)" : "not a URL";
    throw new PathUriError("PATH_URI_INVALID", `invalid URI: ${reason}`, { cause });
  }
}
function percentDecode(pathname) {
  return pathname.replace(
    /%([0-9A-Fa-f]{2})/g,
    (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))
  );
}
function binaryFromUri(text3, platform2) {
  const { protocol, host, pathname, href } = parseUrl(text3);
  if (protocol !== "file:") throw invalid(`unsupported path URI scheme \`${protocol.slice(0, -1)}\``);
  if (href.includes("#")) throw invalid("fragments are not allowed in path URIs");
  if (href.includes("?")) throw invalid("query parameters are not allowed in path URIs");
  if (host !== "" || isDriveSegment(pathname)) throw notOn("PATH_URI_FOREIGN", href, platform2);
  if (pathname.startsWith(OPAQUE_PREFIX)) {
    const opaque = decodeOpaquePath(pathname.slice(OPAQUE_PREFIX.length));
    if (opaque === void 0 || opaque.includes("\0")) throw notOn("PATH_URI_INVALID", href, platform2);
    if (encodePath(foldPath(opaque)) !== `file://${pathname}`)
      throw notOn("PATH_URI_FOREIGN", href, platform2);
    return opaque;
  }
  const binary = percentDecode(pathname);
  if (binary.includes("\0")) throw notOn("PATH_URI_INVALID", href, platform2);
  return binary;
}
function parseBinary(text3, platform2) {
  if (!text3.startsWith("/")) return { binary: foldPath(binaryFromUri(text3, platform2)), form: "uri" };
  if (text3.includes("\0")) throw invalid("a path cannot hold a NUL character");
  return { binary: foldPath(toBinary(text3)), form: "path" };
}
function parsePathBytes(text3, platform2 = "linux") {
  const { binary, form } = parseBinary(text3, platform2);
  return { ...fromBinary(binary), form };
}
function parsePathInput(text3, platform2 = "linux") {
  const plain = PLAIN_URI.exec(text3)?.[1];
  if (plain !== void 0) return { path: plain, form: "uri" };
  if (PLAIN_PATH.test(text3)) return { path: text3, form: "path" };
  const { path, form } = parsePathBytes(text3, platform2);
  if (path === void 0) throw new PathUriError("PATH_URI_ENCODING", `'${text3}' is not a UTF-8 path`);
  return { path, form };
}
function pathToFileUri(path) {
  const binary = typeof path === "string" ? toBinary(path) : bytesToBinary(path);
  if (!binary.startsWith("/")) throw invalid("only an absolute path has a file URI");
  if (binary.includes("\0")) throw invalid("a path cannot hold a NUL character");
  return encodePath(foldPath(binary));
}

// packages/protocol/src/tree/exclude-patterns.ts
function compileExcludes(lines) {
  if (lines.length > MAX_EXCLUDE_PATTERNS) return void 0;
  if (lines.some((line) => line.length > MAX_EXCLUDE_PATTERN_LENGTH)) return void 0;
  if (lines.reduce((sum, line) => sum + line.length, 0) > MAX_EXCLUDE_LENGTH) return void 0;
  const patterns2 = lines.map(parsePattern).filter((pattern2) => pattern2 !== void 0);
  if (patterns2.length === 0) return () => false;
  const open2 = new OpenPatterns(patterns2);
  return (names, isDirectory) => {
    const reached = open2.behind(names);
    let isExcluded = false;
    for (const [index, { parts, negates, directoriesOnly }] of patterns2.entries()) {
      if (negates !== isExcluded || directoriesOnly && !isDirectory) continue;
      if (reached[index]?.has(parts.length) === true) isExcluded = !negates;
    }
    return isExcluded;
  };
}
var OpenPatterns = class {
  #patterns;
  /** Of the path that was looked at last: what is open behind each of its names. */
  #path = [];
  #atRoot;
  constructor(patterns2) {
    this.#patterns = patterns2;
    this.#atRoot = patterns2.map(({ parts }) => placesFrom(parts, 0));
  }
  behind(names) {
    let same = 0;
    while (same < names.length && this.#path[same]?.name === names[same]) same++;
    this.#path.length = Math.min(same, this.#path.length);
    for (const name of names.slice(same)) {
      const above = this.#path.at(-1)?.places ?? this.#atRoot;
      const characters = [...name];
      const places = this.#patterns.map(
        ({ parts }, index) => step(parts, above[index] ?? NOWHERE, characters)
      );
      this.#path.push({ name, places });
    }
    return this.#path.at(-1)?.places ?? this.#atRoot;
  }
};
var NOWHERE = /* @__PURE__ */ new Set();
function step(parts, places, name) {
  if (places.size === 0) return NOWHERE;
  const next = /* @__PURE__ */ new Set();
  for (const place2 of places) {
    const part = parts[place2];
    if (part === void 0 || part !== "**" && !matchesName(part, name)) continue;
    for (const open2 of placesFrom(parts, part === "**" ? place2 : place2 + 1)) next.add(open2);
  }
  return next.size === 0 ? NOWHERE : next;
}
function placesFrom(parts, start) {
  const places = /* @__PURE__ */ new Set([start]);
  for (let place2 = start; parts[place2] === "**"; place2++) places.add(place2 + 1);
  return places;
}
function parsePattern(line) {
  const text3 = withoutEnd(line);
  if (text3 === "" || text3.startsWith("#")) return void 0;
  const negates = text3.startsWith("!");
  const body = negates ? text3.slice(1) : text3;
  const directoriesOnly = body.endsWith("/");
  const path = directoriesOnly ? body.slice(0, -1) : body;
  const names = path.split("/").filter((name, index) => name !== "" || index > 0);
  const parts = names.map((name) => name === "**" ? "**" : tokensOf(name));
  if (!path.includes("/")) parts.unshift("**");
  if (parts.at(-1) === "**") parts.push(["*"]);
  return { parts, negates, directoriesOnly };
}
function withoutEnd(line) {
  let end = line.length;
  while (end > 0 && " 	\r\n".includes(line[end - 1] ?? "") && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}
function tokensOf(name) {
  const characters = [...name];
  const tokens = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index];
    const set = character === "[" ? readSet(characters, index) : void 0;
    if (character === "*") {
      if (tokens.at(-1) !== "*") tokens.push("*");
    } else if (character === "?") tokens.push(() => true);
    else if (set !== void 0) {
      tokens.push(set.matches);
      index = set.end;
    } else {
      const literal = character === "\\" ? characters[++index] ?? "\\" : character;
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}
function readSet(characters, start) {
  const isNegated = ["!", "^"].includes(characters[start + 1] ?? "");
  const first = start + (isNegated ? 2 : 1);
  const end = characters.indexOf("]", first + 1);
  if (end === -1) return void 0;
  const ranges = [];
  for (let index = first; index < end; index++) {
    const from = characters[index];
    const isRange = characters[index + 1] === "-" && index + 2 < end;
    ranges.push([from, isRange ? characters[index + 2] : from]);
    if (isRange) index += 2;
  }
  const matches = (other) => ranges.some(([from, to]) => other >= from && other <= to) !== isNegated;
  return { matches, end };
}
function matchesName(tokens, name) {
  let at = 0;
  let lastStar = -1;
  let takenByStar = 0;
  let next = 0;
  while (next < name.length) {
    const token = tokens[at];
    if (token === "*") {
      lastStar = at++;
      takenByStar = next;
    } else if (token?.(name[next]) === true) {
      at++;
      next++;
    } else if (lastStar !== -1) {
      at = lastStar + 1;
      next = ++takenByStar;
    } else return false;
  }
  while (tokens[at] === "*") at++;
  return at === tokens.length;
}

// packages/protocol/src/tree/tree-path.ts
function treeNames(path) {
  if (path === "") return [];
  const names = path.split("/");
  return names.length <= MAX_TREE_DEPTH && names.every(isName) ? names : void 0;
}
function isName(name) {
  return name !== "" && name !== "." && name !== ".." && !name.includes("\0");
}
function staysInside(path, target) {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return false;
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  const firstName = names.findIndex((name) => name !== "..");
  const ups = firstName === -1 ? names.length : firstName;
  return ups < path.split("/").length && !names.slice(ups).includes("..");
}

// packages/protocol/src/wire/malformed-message-error.ts
var MalformedMessageError = class extends CodedError {
  constructor(message, cause) {
    super("MALFORMED_MESSAGE", message, cause === void 0 ? {} : { cause });
  }
};

// packages/protocol/src/errors/serde-text.ts
var MAX_QUOTED = 80;
function quote(value) {
  return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}\u2026` : value);
}
function describeValue(value) {
  if (value === null || value === void 0) return "null";
  if (typeof value === "string") return `string ${quote(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "number" || typeof value === "bigint") return "number";
  return Array.isArray(value) ? "sequence" : "map";
}

// packages/protocol/src/wire/json-scan.ts
var QUOTE = 34;
var COMMA = 44;
var COLON = 58;
var OPEN_BRACKET = 91;
var BACKSLASH = 92;
var CLOSE_BRACKET = 93;
var OPEN_BRACE = 123;
var CLOSE_BRACE = 125;
var SPACE = 32;
var SMALL_OBJECT = 12;
var ARRAY = -1;
var OpenContainers = class {
  /** Where the keys of each open container start; `ARRAY` for one that has none. */
  starts = [];
  keys = [];
  /** Only for objects that have outgrown the linear search, by depth. */
  sets = [];
};
function addKey({ starts, keys, sets }, start, key) {
  const set = sets[starts.length];
  if (set === void 0 ? keys.indexOf(key, start) !== -1 : set.has(key)) {
    throw new MalformedMessageError(`duplicate JSON object key \`${key}\``);
  }
  if (set !== void 0) set.add(key);
  else if (keys.push(key) - start > SMALL_OBJECT) sets[starts.length] = new Set(keys.slice(start));
}
function closingQuote(text3, from) {
  let quote2 = text3.indexOf('"', from);
  while (quote2 !== -1) {
    let slashes = 0;
    while (text3.charCodeAt(quote2 - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote2;
    quote2 = text3.indexOf('"', quote2 + 1);
  }
  return text3.length;
}
function decodeKey(raw) {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch (cause) {
    throw new MalformedMessageError("the message is not valid JSON", cause);
  }
}
function endOfScalar(text3, from) {
  let index = from;
  for (; index < text3.length; index++) {
    const code = text3.charCodeAt(index);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE) break;
  }
  return index;
}
function tooManyValues() {
  return new MalformedMessageError(`JSON-RPC message exceeds the limit of ${MAX_JSON_VALUES} JSON values`);
}
function scanJson(text3) {
  const open2 = new OpenContainers();
  const { starts, keys, sets } = open2;
  let start = ARRAY;
  let values = 0;
  let expectsKey = false;
  let isTopLevelId = false;
  let idText2;
  for (let index = 0; index < text3.length; index++) {
    const code = text3.charCodeAt(index);
    if (code <= SPACE || code === COLON) continue;
    if (code === QUOTE) {
      const end = closingQuote(text3, index + 1);
      if (expectsKey) {
        const key = decodeKey(text3.slice(index + 1, end));
        addKey(open2, start, key);
        if (starts.length === 1) isTopLevelId = key === "id";
        expectsKey = false;
      } else if (++values > MAX_JSON_VALUES) throw tooManyValues();
      index = end;
    } else if (code === COMMA) {
      expectsKey = start !== ARRAY;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++values > MAX_JSON_VALUES) throw tooManyValues();
      if (starts.length === MAX_JSON_DEPTH) throw new MalformedMessageError("recursion limit exceeded");
      expectsKey = code === OPEN_BRACE;
      start = expectsKey ? keys.length : ARRAY;
      starts.push(start);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (start !== ARRAY) {
        keys.length = start;
        sets[starts.length] = void 0;
      }
      starts.pop();
      start = starts.at(-1) ?? ARRAY;
      expectsKey = false;
    } else {
      if (++values > MAX_JSON_VALUES) throw tooManyValues();
      const end = endOfScalar(text3, index);
      if (isTopLevelId && starts.length === 1) idText2 = text3.slice(index, end);
      index = end - 1;
    }
  }
  return idText2;
}

// packages/protocol/src/wire/parse-message.ts
var I64_MIN = -(2n ** 63n);
var I64_MAX = 2n ** 63n - 1n;
var INTEGER = /^-?(?:0|[1-9][0-9]{0,18})$/;
function parseJson(text3) {
  try {
    return JSON.parse(text3);
  } catch (cause) {
    throw new MalformedMessageError("the message is not valid JSON", cause);
  }
}
function isMembers(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function refuseLoneSurrogates(value) {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new MalformedMessageError("a string holds a lone surrogate");
  } else if (Array.isArray(value)) value.forEach(refuseLoneSurrogates);
  else if (isMembers(value)) {
    for (const [key, member] of Object.entries(value)) {
      refuseLoneSurrogates(key);
      refuseLoneSurrogates(member);
    }
  }
}
function requestId(message, literal) {
  if (!Object.hasOwn(message, "id")) throw new MalformedMessageError("missing field `id`");
  const id = message["id"];
  if (typeof id === "string") return id;
  if (typeof id === "number" && String(id) === literal && Number.isSafeInteger(id)) return id;
  if (typeof id === "number" && literal !== void 0 && INTEGER.test(literal)) {
    if (Number.isSafeInteger(id)) return id === 0 ? 0 : id;
    const exact = BigInt(literal);
    if (exact >= I64_MIN && exact <= I64_MAX) return exact;
  }
  throw new MalformedMessageError("`id` must be a string or a signed 64-bit integer");
}
function text(value) {
  if (typeof value === "string") return value;
  throw new MalformedMessageError(`invalid type: ${describeValue(value)}, expected a string`);
}
function traceContext(value) {
  if (value === void 0 || value === null) return void 0;
  if (!isMembers(value)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(value)}, expected struct TraceContext`);
  }
  for (const name of ["traceparent", "tracestate"]) {
    if (value[name] !== void 0 && value[name] !== null) text(value[name]);
  }
  return value;
}
function errorBody(message) {
  if (!Object.hasOwn(message, "error")) throw new MalformedMessageError("missing field `error`");
  const error2 = message["error"];
  if (!isMembers(error2)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(error2)}, expected struct WireError`);
  }
  const { code, message: sentence, data } = error2;
  for (const name of ["code", "message"]) {
    if (!Object.hasOwn(error2, name)) throw new MalformedMessageError(`missing field \`${name}\``);
  }
  if (typeof code !== "number" || !Number.isSafeInteger(code)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(code)}, expected i64`);
  }
  return { code, message: text(sentence), ...data === void 0 || data === null ? {} : { data } };
}
function classify(message, idLiteral) {
  if (Object.hasOwn(message, "method")) {
    const method = text(message["method"]);
    const params = Object.hasOwn(message, "params") ? message["params"] : void 0;
    if (!Object.hasOwn(message, "id")) return { kind: "notification", method, params };
    const id = requestId(message, idLiteral);
    const trace = traceContext(Object.hasOwn(message, "trace") ? message["trace"] : void 0);
    if (trace === void 0) return { kind: "request", id, method, params };
    return { kind: "request", id, method, params, trace };
  }
  if (Object.hasOwn(message, "result")) {
    return { kind: "response", id: requestId(message, idLiteral), result: message["result"] };
  }
  const error2 = errorBody(message);
  return { kind: "error", id: requestId(message, idLiteral), error: error2 };
}
function parseMessage(source) {
  const idLiteral = scanJson(source);
  const message = parseJson(source);
  if (!isMembers(message)) throw new MalformedMessageError("expected a JSON-RPC object");
  if (source.includes("\\u")) refuseLoneSurrogates(message);
  return classify(message, idLiteral);
}

// packages/protocol/src/wire/binary-message.ts
var BINARY_KIND = 1;
var BINARY_HEADER_BYTES = 9;
function hasPayload(message) {
  return typeof message !== "string" && message.some((segment) => typeof segment !== "string");
}
function binaryParts(segments) {
  const texts2 = [];
  const payloads = [];
  let payloadBytes2 = 0;
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === "string") {
      const start = typeof segments[index - 1] === "object" ? 1 : 0;
      const end = typeof segments[index + 1] === "object" ? -1 : segment.length;
      texts2.push(segment.slice(start, end));
    } else {
      texts2.push(String(segment.length));
      payloads.push(segment);
      payloadBytes2 += segment.length;
    }
  }
  return { text: texts2.join(""), payloads, payloadBytes: payloadBytes2 };
}
function writeBinaryHeader(target, offset, lengths) {
  target[offset] = BINARY_KIND;
  writeLength(target, offset + 1, lengths.textBytes);
  writeLength(target, offset + 5, lengths.payloadBytes);
  return offset + BINARY_HEADER_BYTES;
}
function readBinaryHeader(source) {
  if (source[0] !== BINARY_KIND) {
    throw new MalformedMessageError(`a binary message of the unknown kind ${source[0] ?? "nothing"}`);
  }
  return { textBytes: readLength(source, 1), payloadBytes: readLength(source, 5) };
}
function parseBinaryMessage(source) {
  if (source.length < BINARY_HEADER_BYTES) {
    throw new MalformedMessageError(`a binary message of ${source.length} bytes has no whole header`);
  }
  const { textBytes, payloadBytes: payloadBytes2 } = readBinaryHeader(source);
  if (BINARY_HEADER_BYTES + textBytes + payloadBytes2 !== source.length) {
    throw new MalformedMessageError(
      `a binary message has ${source.length} bytes; its header tells of ${textBytes} and ${payloadBytes2}`
    );
  }
  const end = BINARY_HEADER_BYTES + textBytes;
  return {
    message: parseMessage(textOf(source.subarray(BINARY_HEADER_BYTES, end))),
    payload: source.subarray(end)
  };
}
var decoder;
function textOf(bytes) {
  decoder ??= new runtime.TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MalformedMessageError("the text of a binary message is not valid UTF-8", cause);
  }
}
function writeLength(target, offset, length) {
  for (let index = 0; index < 4; index++) target[offset + index] = length >>> 24 - 8 * index;
}
function readLength(source, offset) {
  let length = 0;
  for (let index = 0; index < 4; index++) length = length * 256 + (source[offset + index] ?? 0);
  return length;
}

// packages/protocol/src/wire/wire-message.ts
var WireResult = class {
  segments;
  constructor(segments) {
    this.segments = segments;
  }
};

// packages/protocol/src/wire/encode-message.ts
var idText = (id) => typeof id === "string" ? JSON.stringify(id) : String(id);
var jsonText = (value) => JSON.stringify(value) ?? "null";
function withParams(head, params, payloadMember) {
  if (params === void 0) return `${head}}`;
  return payloadSegments(head, params, payloadMember) ?? `${head},"params":${jsonText(params)}}`;
}
function payloadSegments(head, params, member) {
  if (member === void 0 || typeof params !== "object" || params === null) return void 0;
  const { [member]: bytes, ...rest } = params;
  if (!(bytes instanceof Uint8Array)) return void 0;
  const before = JSON.stringify(rest).slice(0, -1);
  const comma = before === "{" ? "" : ",";
  return [`${head},"params":${before}${comma}"${member}":"`, bytes, '"}}'];
}
function encodeRequest(id, method, params) {
  const head = `{"id":${idText(id)},"method":${JSON.stringify(method)}`;
  const message = withParams(head, params, PAYLOAD_MEMBERS.get(method));
  for (const part of typeof message === "string" ? [message] : message) {
    if (typeof part === "string" && part.includes("\\ud") && LONE_SURROGATE.test(part)) {
      throw new MalformedMessageError("a string holds a lone surrogate, which cannot be sent");
    }
  }
  return message;
}
var LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;
function encodeNotification(method, params) {
  return withParams(`{"method":${JSON.stringify(method)}`, params);
}
function encodeResult(id, result) {
  const head = `{"id":${idText(id)},"result":`;
  if (result instanceof WireResult) return [head, ...result.segments, "}"];
  return `${head}${jsonText(result)}}`;
}
function encodeError(id, error2) {
  const { code, message, data } = error2;
  return `{"error":${jsonText({ code, message, data })},"id":${idText(id)}}`;
}

// packages/protocol/src/wire/payload.ts
function payloadBytes(payload) {
  return typeof payload === "string" ? decodeBase64(payload) : payload;
}
function placePayloads(value, paths, payload) {
  let position = 0;
  const areAllPlaced = everyPayload(value, paths, (owner, name) => {
    const length = owner[name];
    if (typeof length !== "number" || !Number.isInteger(length) || length < 0) return false;
    if (length > payload.length - position) return false;
    owner[name] = payload.subarray(position, position + length);
    position += length;
    return true;
  });
  return areAllPlaced && position === payload.length;
}
function payloadsAsText(value, paths) {
  everyPayload(value, paths, (owner, name) => {
    const payload = owner[name];
    if (payload instanceof Uint8Array) owner[name] = encodeBase64(payload);
    return true;
  });
}
var LIST_MARK = "[].";
function everyPayload(value, paths, visit) {
  return paths.every((path) => {
    const [first = "", member] = path.split(LIST_MARK);
    if (member === void 0) return hasOwn(value, first) && visit(value, first);
    const list = hasOwn(value, first) ? value[first] : void 0;
    return Array.isArray(list) && list.every((owner) => hasOwn(owner, member) && visit(owner, member));
  });
}
function hasOwn(value, name) {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

// packages/protocol/src/wire/payload-request.ts
var LEAST_PAYLOAD_BYTES = 64 * 1024;
var MOST_BYTES_BEFORE = 64 * 1024;
var SPACE2 = 32;
var QUOTE2 = 34;
var COLON2 = 58;
var OPEN_BRACKET2 = 91;
var BACKSLASH2 = 92;
var CLOSE_BRACKET2 = 93;
var OPEN_BRACE2 = 123;
var CLOSE_BRACE2 = 125;
var NOWHERE2 = { start: 0, end: 0 };
function findPayload(source) {
  let depth = 0;
  let last = NOWHERE2;
  let owner = NOWHERE2;
  let previous = 0;
  for (let index = 0; index < MOST_BYTES_BEFORE; index++) {
    const code = source[index] ?? 0;
    if (code <= SPACE2) continue;
    if (code === QUOTE2) {
      const start = index + 1;
      const end = source.indexOf(QUOTE2, start);
      if (end === -1 || source[end - 1] === BACKSLASH2) return void 0;
      if (end - start >= LEAST_PAYLOAD_BYTES) {
        return depth === 2 && previous === COLON2 ? { start, end, key: last, owner } : void 0;
      }
      last = { start, end };
      index = end;
    } else if (code === OPEN_BRACE2 || code === OPEN_BRACKET2) {
      depth++;
      if (depth === 2) owner = code === OPEN_BRACE2 ? last : NOWHERE2;
    } else if (code === CLOSE_BRACE2 || code === CLOSE_BRACKET2) {
      depth--;
    }
    previous = code;
  }
  return void 0;
}
function parsePayloadRequest(source, { members, allocate }) {
  const found = findPayload(source);
  if (found === void 0) return void 0;
  const decoder3 = new runtime.TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const textOf2 = ({ start, end }) => decoder3.decode(source.subarray(start, end));
  try {
    const key = textOf2(found.key);
    if (textOf2(found.owner) !== "params" || ![...members.values()].includes(key)) return void 0;
    const before = textOf2({ start: 0, end: found.start });
    const behind = textOf2({ start: found.end, end: source.length });
    const message = parseMessage(before + behind);
    if (message.kind !== "request" || members.get(message.method) !== key) return void 0;
    const payload = decodeBase64Bytes(source.subarray(found.start, found.end), allocate);
    return payload && { ...message, payload };
  } catch {
    return void 0;
  }
}

// packages/rpc/src/channel.ts
var CLOSE_NOT_READING = 1008;

// packages/rpc/src/inbound-dispatch.ts
var RequestInWork = class {
  id;
  method;
  params;
  trace;
  payload;
  followUps;
  constructor({ id, method, params, trace, payload }) {
    this.id = id;
    this.method = method;
    this.params = params;
    if (trace !== void 0) this.trace = trace;
    if (payload !== void 0) this.payload = payload;
  }
  afterReply(callback2) {
    this.followUps ??= [];
    this.followUps.push(callback2);
  }
};
var InboundDispatch = class {
  #options;
  #inFlight = 0;
  #isClosed = false;
  #whenIdle;
  constructor(options2) {
    this.#options = options2;
  }
  get inFlight() {
    return this.#inFlight;
  }
  request(fields) {
    const { handlers, maxInFlight, stats, send } = this.#options;
    stats.requests++;
    if (this.#inFlight >= maxInFlight) {
      stats.refusedRequests++;
      send(encodeError(fields.id, tooManyRequests(maxInFlight)));
      return;
    }
    const request = new RequestInWork(fields);
    this.#inFlight++;
    let result;
    try {
      result = handlers.onRequest(request);
    } catch (error2) {
      this.#fail(request, error2);
      return;
    }
    if (isThenable(result)) {
      result.then(
        (value) => this.#succeed(request, value),
        (error2) => this.#fail(request, error2)
      );
    } else {
      this.#succeed(request, result);
    }
  }
  notification(notification) {
    this.#options.stats.notifications++;
    const refuse = (error2) => {
      if (!this.#isClosed)
        this.#options.send(encodeError(NO_REQUEST_ID, this.#publicError(error2, notification.method)));
    };
    try {
      const outcome = this.#options.handlers.onNotification(notification);
      if (isThenable(outcome)) outcome.then(void 0, refuse);
    } catch (error2) {
      refuse(error2);
    }
  }
  /** Answers a request that no handler sees. */
  refuse(id, error2) {
    this.#options.stats.requests++;
    this.#options.stats.refusedRequests++;
    if (!this.#isClosed) this.#options.send(encodeError(id, error2));
  }
  /** Runs the callback when every request is answered. */
  whenIdle(callback2) {
    if (this.#inFlight === 0) callback2();
    else this.#whenIdle = callback2;
  }
  /** Answers that are still worked on are dropped. */
  close() {
    this.#isClosed = true;
  }
  #succeed(request, value) {
    let message;
    try {
      message = encodeResult(request.id, value === void 0 ? null : value);
    } catch (error2) {
      this.#fail(request, error2);
      return;
    }
    const size2 = this.#options.leastBytesOf(message);
    const { maxReplyBytes } = this.#options;
    if (size2 > maxReplyBytes) this.#fail(request, replyTooLarge(size2, maxReplyBytes));
    else this.#reply(request, message);
  }
  #fail(request, error2) {
    this.#reply(request, encodeError(request.id, this.#publicError(error2, request.method)));
  }
  #reply(request, message) {
    this.#inFlight--;
    if (this.#isClosed) return;
    this.#options.send(message);
    for (const followUp of request.followUps ?? []) {
      try {
        followUp();
      } catch (error2) {
        this.#options.stats.internalFailures++;
        this.#options.logger.error(`after the reply to ${request.method}`, error2);
      }
    }
    if (this.#inFlight === 0) this.#whenIdle?.();
  }
  #publicError(error2, method) {
    if (error2 instanceof RpcError) return error2;
    this.#options.stats.internalFailures++;
    this.#options.logger.error(`handler of ${method} failed`, error2);
    return internalError("internal error");
  }
};
function tooManyRequests(limit) {
  return invalidRequest(
    `too many requests in flight on this connection (limit ${limit}); wait for answers first`
  );
}
function replyTooLarge(size2, limit) {
  return internalError(
    `the answer has ${size2} bytes, more than a message may have (${limit}); ask for less at a time`
  );
}
function isThenable(value) {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}

// packages/rpc/src/inbound-turns.ts
var nextTurn = typeof setImmediate === "function" ? (callback2) => void setImmediate(callback2) : (callback2) => void setTimeout(callback2, 0);
var InboundTurns = class {
  #options;
  #now;
  #defer;
  #waiting = [];
  /** The first of them that is not handled yet. */
  #next = 0;
  #turnBegan;
  #isRunScheduled = false;
  #hasPaused = false;
  #hasEnded = false;
  #whenEmpty;
  constructor(options2) {
    this.#options = options2;
    this.#now = options2.now ?? (() => performance.now());
    this.#defer = options2.defer ?? nextTurn;
  }
  get waiting() {
    return this.#waiting.length - this.#next;
  }
  /** Whether a message that has just arrived may be handled at once. */
  canHandle() {
    return this.waiting === 0 && !this.#mustWait() && this.#hasTime();
  }
  /** For a message that may not be handled at once. */
  queue(handle) {
    this.#waiting.push(handle);
    this.#pause();
    this.#scheduleRun();
  }
  /** The remote end has read: call it after whatever else may have resumed the channel. */
  drained() {
    if (this.waiting === 0) return;
    this.#pause();
    this.#scheduleRun();
  }
  /** What waits is not handled any more. */
  discard() {
    this.#waiting = [];
    this.#next = 0;
  }
  /** Runs the callback when nothing waits. */
  whenEmpty(callback2) {
    if (this.waiting === 0) callback2();
    else this.#whenEmpty = callback2;
  }
  /** The channel has ended. What came before the end is still handled, in turns; then the callback runs. */
  finish(callback2) {
    this.#hasEnded = true;
    this.whenEmpty(callback2);
    if (this.waiting > 0) this.#scheduleRun();
  }
  #mustWait() {
    return !this.#hasEnded && this.#options.mustWait();
  }
  #hasTime() {
    if (this.#options.maxTurnMs === Number.POSITIVE_INFINITY) return true;
    if (this.#turnBegan !== void 0) return this.#now() - this.#turnBegan < this.#options.maxTurnMs;
    this.#turnBegan = this.#now();
    this.#defer(() => {
      this.#turnBegan = void 0;
    });
    return true;
  }
  #scheduleRun() {
    if (this.#isRunScheduled || this.#mustWait()) return;
    this.#isRunScheduled = true;
    this.#defer(() => {
      this.#isRunScheduled = false;
      this.#run();
    });
  }
  #run() {
    while (this.waiting > 0 && !this.#mustWait() && this.#hasTime()) this.#waiting[this.#next++]?.();
    if (this.waiting > 0) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
      this.#scheduleRun();
      return;
    }
    this.discard();
    const isResumable = this.#hasPaused && !this.#mustWait();
    this.#hasPaused = false;
    if (isResumable && !this.#hasEnded) this.#options.channel.resume();
    const whenEmpty = this.#whenEmpty;
    this.#whenEmpty = void 0;
    whenEmpty?.();
  }
  // Again at each message: the channel may have been resumed because replies were read. One that has said goodbye has to
  // read the other end's.
  #pause() {
    if (this.#hasEnded || this.#options.channel.canSend === false) return;
    this.#hasPaused = true;
    this.#options.channel.pause();
  }
};

// packages/rpc/src/bulk-scheduler.ts
var MAX_MESSAGES_PER_TURN = 512;
var BulkScheduler = class {
  #sink;
  #head;
  #tail;
  #isScheduled = false;
  #isClosed = false;
  constructor(sink) {
    this.#sink = sink;
  }
  /** A new source counts as ready. */
  add(source) {
    const entry = { source, isQueued: false, isRemoved: false, following: void 0 };
    const wake = () => {
      if (entry.isQueued || entry.isRemoved || this.#isClosed) return;
      this.#enqueue(entry);
      this.#schedule();
    };
    wake();
    return {
      wake,
      remove: () => {
        entry.isRemoved = true;
      },
      progress: this.#sink.progress
    };
  }
  /** Asks ready sources until the transport is full, nothing is ready, or the turn's share is used up. */
  pump() {
    for (let sent = 0; sent < MAX_MESSAGES_PER_TURN && this.#head !== void 0 && this.#sink.hasRoom(); ) {
      const entry = this.#dequeue();
      const message = entry === void 0 ? void 0 : this.#ask(entry);
      if (entry === void 0 || message === void 0) continue;
      if (!entry.isQueued) this.#enqueue(entry);
      this.#sink.send(message);
      sent++;
    }
  }
  close() {
    this.#isClosed = true;
    this.#head = void 0;
    this.#tail = void 0;
  }
  #ask(entry) {
    try {
      return entry.source.next();
    } catch (error2) {
      entry.isRemoved = true;
      this.#sink.failed(error2);
      return void 0;
    }
  }
  // A microtask joins the wakes of one turn and keeps `wake()` free of re-entrance.
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.pump();
    });
  }
  #enqueue(entry) {
    if (this.#isClosed) return;
    entry.isQueued = true;
    entry.following = void 0;
    if (this.#tail === void 0) this.#head = entry;
    else this.#tail.following = entry;
    this.#tail = entry;
  }
  #dequeue() {
    const entry = this.#head;
    if (entry === void 0) return void 0;
    this.#head = entry.following;
    if (this.#head === void 0) this.#tail = void 0;
    entry.following = void 0;
    entry.isQueued = false;
    return entry.isRemoved ? void 0 : entry;
  }
};

// packages/rpc/src/wire-size.ts
function minimumWireBytes(message, isBinary = false) {
  if (typeof message === "string") return message.length;
  let total = 0;
  for (const segment of message) {
    const isRaw = isBinary || typeof segment === "string";
    total += isRaw ? segment.length : Math.ceil(segment.length / 3) * 4;
  }
  return total;
}

// packages/rpc/src/outbound.ts
var Outbound = class {
  #channel;
  #limits;
  #stats;
  #bulk;
  #isPaused = false;
  #isClosed = false;
  #isBinary = false;
  constructor({ channel, limits, stats, sourceFailed }) {
    this.#channel = channel;
    this.#limits = limits;
    this.#stats = stats;
    this.#bulk = new BulkScheduler({
      progress: progressOf(channel),
      // Output that goes nowhere counts as sent, and would be dropped for more of it.
      hasRoom: () => channel.canSend !== false && channel.bufferedBytes < limits.bulkMarkBytes,
      send: (message) => {
        stats.bulkMessages++;
        channel.send(message);
      },
      failed: sourceFailed
    });
  }
  /** Replies pile up unread, and the channel is paused for that. */
  get isPaused() {
    return this.#isPaused;
  }
  /** Messages with payloads are sent in binary form from here on. */
  useBinary() {
    this.#isBinary = this.#channel.binary !== void 0;
    this.#channel.binary?.send();
  }
  /** At least that many bytes go out for it. */
  leastBytesOf(message) {
    return minimumWireBytes(message, this.#isBinary);
  }
  send(message) {
    if (this.#isClosed) return;
    this.#channel.send(message);
    const queued = this.#queuedBytes;
    if (queued > this.#limits.maxQueuedBytes) {
      this.#channel.close(CLOSE_NOT_READING, `${queued} bytes of replies are not being read`);
    } else if (queued > this.#limits.maxQueuedReplyBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#stats.readPauses++;
      this.#channel.pause();
    }
  }
  addSource(source) {
    return this.#bulk.add(source);
  }
  drained() {
    if (this.#isClosed) return;
    if (this.#isPaused && this.#queuedBytes < this.#limits.maxQueuedReplyBytes / 2) {
      this.#isPaused = false;
      this.#channel.resume();
    }
    this.#bulk.pump();
  }
  get #queuedBytes() {
    return this.#channel.queuedBytes ?? this.#channel.bufferedBytes;
  }
  close() {
    this.#isClosed = true;
    this.#bulk.close();
  }
};
function progressOf(channel) {
  if (channel.sentBytes === void 0) return void 0;
  return {
    get sentBytes() {
      return channel.sentBytes ?? 0;
    },
    get readBytes() {
      return channel.readBytes;
    }
  };
}

// packages/rpc/src/peer-stats.ts
function createPeerStats() {
  return {
    receivedMessages: 0,
    requests: 0,
    notifications: 0,
    refusedRequests: 0,
    malformedMessages: 0,
    lateResponses: 0,
    strayResponses: 0,
    internalFailures: 0,
    readPauses: 0,
    bulkMessages: 0
  };
}

// packages/rpc/src/transport-error.ts
var RpcTransportError = class extends CodedError {
};

// packages/rpc/src/pending-calls.ts
var NOTHING = () => {
};
var PendingCalls = class {
  #calls = /* @__PURE__ */ new Map();
  #max;
  #nextId = 1;
  #closedBy;
  constructor(max) {
    this.#max = max;
  }
  get size() {
    return this.#calls.size;
  }
  /** `transmit` is called at once with the new id; when it throws, the call is rejected with RPC_BAD_MESSAGE. */
  open(method, options2, transmit) {
    const refusal = this.#refusal(method, options2.signal);
    if (refusal !== void 0) return Promise.reject(refusal);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, resolve, reject, release: this.#watch(id, method, options2) });
      try {
        transmit(id);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const message = `${method}: the request cannot be sent: ${why}`;
        this.settle(id, {
          error: new RpcTransportError("RPC_BAD_MESSAGE", message, { details: { method }, cause })
        });
      }
    });
  }
  /** Of a call that waits. */
  methodOf(id) {
    return this.#calls.get(id)?.method;
  }
  settle(id, outcome) {
    const call = this.#calls.get(id);
    if (call === void 0) {
      return typeof id === "number" && id >= 1 && id < this.#nextId ? "late" : "stray";
    }
    this.#calls.delete(id);
    call.release();
    if ("error" in outcome) call.reject(outcome.error);
    else call.resolve(outcome.result);
    return "settled";
  }
  /** Rejects everything that waits and every later call. */
  close(reason) {
    this.#closedBy ??= reason;
    for (const id of [...this.#calls.keys()]) this.settle(id, { error: this.#closedBy });
  }
  #refusal(method, signal) {
    if (this.#closedBy !== void 0) return this.#closedBy;
    if (signal?.aborted === true) return aborted(method, signal);
    if (this.#calls.size < this.#max) return void 0;
    return new RpcTransportError(
      "RPC_CALL_LIMIT",
      `${method}: ${this.#max} calls already wait for an answer`,
      {
        details: { method, limit: this.#max }
      }
    );
  }
  #watch(id, method, { signal, timeoutMs }) {
    if (signal === void 0 && timeoutMs === void 0) return NOTHING;
    const onAbort = () => {
      if (signal !== void 0) this.settle(id, { error: aborted(method, signal) });
    };
    const timer = timeoutMs === void 0 ? void 0 : setTimeout(() => {
      const message = `${method}: no answer within ${timeoutMs} ms`;
      this.settle(id, {
        error: new RpcTransportError("RPC_CALL_TIMEOUT", message, { details: { method, timeoutMs } })
      });
    }, timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  }
};
function aborted(method, signal) {
  return new RpcTransportError("RPC_CALL_ABORTED", `${method}: aborted by the caller`, {
    details: { method },
    cause: signal.reason
  });
}

// packages/rpc/src/place-received.ts
function placeReceived(message, payload, { members, methodOf }) {
  switch (message.kind) {
    case "request":
    case "notification": {
      const member = members?.get(message.method);
      if (member === void 0) return `${message.method} has no payload here`;
      if (!placePayloads(message.params, [member], payload)) return misplaced(message.method);
      if (message.kind === "request") message.params[member] = "";
      return void 0;
    }
    case "response": {
      const method = methodOf(message.id);
      if (method === void 0) return void 0;
      const paths = RESULT_PAYLOADS.get(method);
      if (paths === void 0) return `the answer to ${method} has no payload`;
      return placePayloads(message.result, paths, payload) ? void 0 : misplaced(`the answer to ${method}`);
    }
    case "error":
      return "an error has no payload";
  }
}
function misplaced(what) {
  return `the payloads of ${what} are not where the message says`;
}

// packages/rpc/src/rpc-limits.ts
var MIB2 = 1024 * 1024;
var DEFAULT_RPC_LIMITS = Object.freeze({
  maxPendingCalls: 1024,
  maxInFlightRequests: 4096,
  bulkMarkBytes: MIB2,
  maxQueuedReplyBytes: 32 * MIB2,
  maxSentMessageBytes: MAX_MESSAGE_BYTES,
  maxQueuedBytes: 256 * MIB2
});

// packages/rpc/src/rpc-logger.ts
var SILENT_LOGGER = Object.freeze({ error: () => {
} });

// packages/rpc/src/peer.ts
var RpcPeer = class {
  closed;
  #channel;
  #maxSentBytes;
  #stats = createPeerStats();
  #calls;
  #inbound;
  #outbound;
  #turns;
  #payloadMembers;
  constructor(channel, options2) {
    const limits = { ...DEFAULT_RPC_LIMITS, ...options2.limits };
    const logger = options2.logger ?? SILENT_LOGGER;
    const stats = this.#stats;
    this.#channel = channel;
    this.#payloadMembers = options2.payloadMembers;
    this.#maxSentBytes = limits.maxSentMessageBytes;
    this.#calls = new PendingCalls(limits.maxPendingCalls);
    this.#outbound = new Outbound({
      channel,
      limits,
      stats,
      sourceFailed: (error2) => {
        stats.internalFailures++;
        logger.error("bulk source failed and was removed", error2);
      }
    });
    this.#inbound = new InboundDispatch({
      handlers: options2,
      maxInFlight: limits.maxInFlightRequests,
      maxReplyBytes: limits.maxSentMessageBytes,
      stats,
      logger,
      send: (message) => this.#outbound.send(message),
      leastBytesOf: (message) => this.#outbound.leastBytesOf(message)
    });
    this.#turns = new InboundTurns({
      channel,
      maxTurnMs: options2.maxTurnMs ?? Number.POSITIVE_INFINITY,
      mustWait: () => this.#outbound.isPaused
    });
    this.closed = new Promise((resolve) => {
      channel.start({
        message: (text3) => this.#receive(text3),
        longMessage: (bytes, memory) => this.#receiveLong(bytes, memory),
        binaryMessage: (bytes, release2) => this.#receiveBinary(bytes, release2),
        inputEnded: () => new Promise((answered) => this.#turns.whenEmpty(() => this.#inbound.whenIdle(answered))),
        drained: () => {
          this.#outbound.drained();
          this.#turns.drained();
        },
        closed: (info) => {
          this.#outbound.close();
          if (info.code === CLOSE_NOT_READING) this.#turns.discard();
          this.#turns.finish(() => {
            this.#end(info);
            resolve(info);
          });
        }
      });
    });
  }
  get stats() {
    return { ...this.#stats, pendingCalls: this.#calls.size, inFlightRequests: this.#inbound.inFlight };
  }
  /** Whether messages with payloads can travel in binary form. */
  get canUseBinary() {
    return this.#channel.binary !== void 0;
  }
  /** Binary messages of the remote end are taken from here on. */
  acceptBinary() {
    this.#channel.binary?.accept();
  }
  /** The remote end takes binary messages: those with payloads are sent so from here on. */
  sendBinary() {
    this.#outbound.useBinary();
  }
  /** Gives back the memory of the only payload of an answer, when its bytes are no longer used. */
  releasePayload(bytes) {
    this.#channel.releasePayload?.(bytes);
  }
  /** Rejects with the remote end's RpcError, or with an RpcTransportError when there is no answer. */
  call(method, params, options2 = {}) {
    return this.#calls.open(method, options2, (id) => {
      const message = encodeRequest(id, method, params);
      const size2 = this.#outbound.leastBytesOf(message);
      if (size2 > this.#maxSentBytes) throw tooLong(size2);
      this.#outbound.send(message);
    });
  }
  /** Goes out ahead of all bulk that is not yet pulled. Does nothing after the end. */
  notify(method, params) {
    this.#outbound.send(encodeNotification(method, params));
  }
  addBulkSource(source) {
    return this.#outbound.addSource(source);
  }
  /** Whether the remote end gives a sign of life in time. */
  probe(timeoutMs) {
    return this.#channel.probe(timeoutMs);
  }
  close(code, reason) {
    this.#turns.discard();
    this.#channel.close(code, reason);
  }
  #receive(text3) {
    this.#stats.receivedMessages++;
    if (this.#turns.canHandle()) this.#handle(text3);
    else this.#turns.queue(() => this.#handle(text3));
  }
  #handle(text3) {
    let message;
    try {
      message = parseMessage(text3);
    } catch (error2) {
      this.#refuseMalformed(error2);
      return;
    }
    this.#pass(message);
  }
  #pass(message) {
    switch (message.kind) {
      case "request":
        this.#inbound.request(message);
        break;
      case "notification":
        this.#inbound.notification(message);
        break;
      case "response":
        this.#settle(message.id, { result: message.result });
        break;
      case "error": {
        const { code, message: sentence, data } = message.error;
        this.#settle(message.id, { error: new RpcError(code, sentence, { data }) });
        break;
      }
    }
  }
  #receiveLong(bytes, memory) {
    const members = this.#payloadMembers;
    const allocate = (length) => memory.borrow(length);
    const request = members && parsePayloadRequest(bytes, { members, allocate });
    if (request === void 0) return false;
    const { payload } = request;
    const free2 = once(() => memory.release(payload));
    this.#inTurn(() => this.#inbound.request({ ...request, payload: { bytes: payload, free: free2 } }));
    return true;
  }
  #receiveBinary(bytes, release2) {
    this.#inTurn(() => {
      try {
        this.#handleBinary(bytes, release2);
      } catch (error2) {
        this.#refuseMalformed(error2);
      }
    });
  }
  #handleBinary(bytes, release2) {
    const { message, payload: view } = parseBinaryMessage(bytes);
    const payload = isMostOfItsMemory(view) ? view : copyOf(view);
    if (payload !== view) release2();
    const wrong = placeReceived(message, payload, {
      members: this.#payloadMembers,
      methodOf: (id) => this.#calls.methodOf(id)
    });
    if (wrong !== void 0) this.#refuseBinary(message, wrong);
    else if (message.kind === "request") {
      this.#inbound.request({
        ...message,
        payload: { bytes: payload, free: payload === view ? once(release2) : () => {
        } }
      });
    } else this.#pass(message);
  }
  /** Under its own id where it has one: somebody waits for the answer. */
  #refuseBinary(message, sentence) {
    if (message.kind === "request") this.#inbound.refuse(message.id, invalidRequest(sentence));
    else if (message.kind === "response") {
      this.#settle(message.id, { error: new RpcTransportError("RPC_BAD_MESSAGE", sentence) });
    } else this.#refuseMalformed(new MalformedMessageError(sentence));
  }
  #inTurn(handle) {
    this.#stats.receivedMessages++;
    if (this.#turns.canHandle()) handle();
    else this.#turns.queue(handle);
  }
  #settle(id, outcome) {
    const verdict = this.#calls.settle(id, outcome);
    if (verdict === "late") this.#stats.lateResponses++;
    else if (verdict === "stray") this.#stats.strayResponses++;
  }
  #refuseMalformed(error2) {
    this.#stats.malformedMessages++;
    const noun = this.#channel.transport === "websocket" ? "websocket JSON-RPC message" : "JSON-RPC message";
    const detail = error2 instanceof Error ? error2.message : String(error2);
    const sentence = `failed to parse ${noun} from ${this.#channel.label}: ${detail}`;
    this.#outbound.send(encodeError(NO_REQUEST_ID, invalidRequest(sentence)));
  }
  #end(info) {
    this.#inbound.close();
    const why = info.reason === "" ? "" : `: ${info.reason}`;
    const message = `connection to ${this.#channel.label} closed${why}`;
    this.#calls.close(new RpcTransportError("RPC_CLOSED", message, { details: { ...info } }));
  }
};
function isMostOfItsMemory({ length, buffer }) {
  return length * 2 >= buffer.byteLength;
}
function copyOf(bytes) {
  return Uint8Array.prototype.slice.call(bytes);
}
function once(release2) {
  let isReleased = false;
  return () => {
    if (!isReleased) release2();
    isReleased = true;
  };
}
function tooLong(bytes) {
  const message = `${bytes} bytes are more than a message may have`;
  return new RpcTransportError("RPC_BAD_MESSAGE", message, { details: { bytes } });
}

// packages/client/src/exec-server-error.ts
var ExecServerError = class extends CodedError {
  retryable;
  admitted;
  constructor(code, message, options2) {
    super(code, message, {
      details: options2.details,
      ...options2.cause === void 0 ? {} : { cause: options2.cause }
    });
    this.retryable = options2.retryable ?? false;
    this.admitted = options2.admitted ?? false;
    if (options2.hint !== void 0) this.hint = options2.hint;
    Object.defineProperty(this, "name", { value: "ExecServerError", configurable: true });
  }
  /** Narrows an unknown error to one code and its details. */
  static is(error2, code) {
    return isExecServerError(error2) && error2.code === code;
  }
  toJSON() {
    const { code, message, details, retryable, admitted, hint } = this;
    return { code, message, details, retryable, admitted, ...hint === void 0 ? {} : { hint } };
  }
};
function isExecServerError(error2) {
  return error2 instanceof ExecServerError;
}
function abortedError(operation, reason, admitted = "unknown") {
  return new ExecServerError("aborted", `${operation} was aborted by the caller`, {
    details: { operation },
    admitted,
    cause: reason
  });
}
function invalidArgument(argument, message) {
  return new ExecServerError("argument.invalid", message, { details: { argument } });
}

// packages/client/src/capabilities.ts
var SERVER_FLAGS = {
  "stdin.end": METHODS["process/closeStdin"].capability,
  "pty.resize": METHODS["process/resize"].capability,
  "pty.size": "processStartIo",
  "signal.any": "processSignalAny",
  "terminate.graceful": "processTerminateMode",
  "terminate.tree": "processTerminateTree",
  "process.list": METHODS["process/list"].capability,
  "process.lifecycle": "lifecycleNotifications",
  "session.ttl": "sessionTtl",
  "output.gapReport": "outputGapReport",
  "fs.watch": METHODS["fs/watch"].capability,
  "fs.sandboxedWatch": "fsWatchSandbox",
  "fs.trees": METHODS["fs/writeTree"].capability,
  "fs.rename": METHODS["fs/rename"].capability,
  "fs.writeOptions": "fsWriteOptions",
  "fs.writeStream": METHODS["fs/writeBlock"].capability,
  "fs.sandboxedStream": "sandboxedFileStreaming",
  observe: METHODS["observe/open"].capability,
  approvals: METHODS["approvals/ask"].capability
};
var HINTS = {
  "stdin.end": "Pass the whole input as `stdin` to run(), or use a tty, where the end is Ctrl-D.",
  "pty.resize": "This server keeps every terminal at 24 rows and 80 columns.",
  "pty.size": "This server gives every terminal 24 rows and 80 columns; use tty: true.",
  "signal.any": "Use interrupt() or terminate(), which every server has.",
  "fs.watch": "Poll with fs.stat() or fs.walk().",
  "fs.writeOptions": "Write the whole file without append, create or atomic.",
  observe: "Its processes can be seen by the client that started them only.",
  approvals: "Ask where the client runs: this server cannot carry the question to those who watch.",
  "connect.command": "Starting a server needs Node; connect to a URL instead.",
  "connect.fleet": "A broker is reached from Node, with the package @codex/exec-fleet; elsewhere connect to a gateway.",
  "connect.headers": "Browsers send no headers with a websocket; put a proxy in front that adds them.",
  "fs.localFiles": "Local files need Node; use fs.write() and fs.readStream() with your own data."
};
var Capabilities = class {
  #flags;
  #version;
  constructor(info) {
    this.#flags = info.capabilities ?? {};
    this.#version = info.executorVersion ?? void 0;
  }
  supports(capability) {
    const flag2 = SERVER_FLAGS[capability];
    return flag2 !== void 0 && this.#flags[flag2] === true;
  }
  /** Throws `unsupported` unless the server announces it. `what` starts the sentence. */
  require(capability, what) {
    if (!this.supports(capability)) throw unsupported(capability, what, this.#version);
  }
};
function unsupported(capability, what, serverVersion) {
  const server = serverVersion === void 0 ? "" : ` by this server (version ${serverVersion})`;
  const hint = HINTS[capability];
  return new ExecServerError("unsupported", `${what} is not supported${server}`, {
    details: { capability, ...serverVersion === void 0 ? {} : { serverVersion } },
    ...hint === void 0 ? {} : { hint }
  });
}

// packages/protocol/src/options/nearest-name.ts
function nearestName(name, known) {
  const longer = known.find((candidate) => name.length > 2 && candidate.startsWith(name));
  if (longer !== void 0) return longer;
  const most = Math.min(2, Math.floor(name.length / 3));
  const [best] = known.map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) })).filter(({ distance }) => distance <= most).sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}
function editDistance(left, right) {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

// packages/protocol/src/options/check-options.ts
function findWrongOption(options2, rules) {
  const { of, values, required = [] } = rules;
  if (!isPlainRecord(options2)) {
    return { option: "options", message: `${of} takes an object with options, not ${show(options2)}` };
  }
  for (const [option2, value] of Object.entries(options2)) {
    const rule = Object.hasOwn(values, option2) ? values[option2] : void 0;
    if (rule === void 0) return { option: option2, message: unknownOption(option2, rules) };
    const wrong = value === void 0 ? void 0 : rule(value);
    if (typeof wrong === "string") return { option: option2, message: `${of}: \`${option2}\` ${wrong}` };
    if (wrong !== void 0) return wrong;
  }
  const option = required.find((name) => options2[name] === void 0);
  return option === void 0 ? void 0 : { option, message: `${of} needs the option \`${option}\`` };
}
function unknownOption(name, { of, values, otherNames: otherNames3 = {} }) {
  const meant = Object.hasOwn(otherNames3, name) ? otherNames3[name] : nearestName(name, Object.keys(values));
  return `${of} has no option \`${name}\`${meant === void 0 ? "" : `; did you mean \`${meant}\`?`}`;
}
function isPlainRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function show(value) {
  if (typeof value === "string") return `'${value.length > 80 ? `${value.slice(0, 80)}\u2026` : value}'`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

// packages/protocol/src/options/value-rules.ts
var anything = () => void 0;
var text2 = (value) => typeof value === "string" ? void 0 : `is a string, not ${show(value)}`;
var flag = (value) => typeof value === "boolean" ? void 0 : `is true or false, not ${show(value)}`;
var count = (value) => typeof value === "number" && value >= 0 ? void 0 : `is a number, 0 or more, not ${show(value)}`;
var duration = (value) => typeof value === "number" && value >= 0 ? void 0 : `is a time in milliseconds, 0 or more, not ${show(value)}`;
var callback = (value) => typeof value === "function" ? void 0 : `is a function, not ${show(value)}`;
var abortSignal = (value) => isPlainRecord(value) && "aborted" in value && "addEventListener" in value ? void 0 : `is an AbortSignal, not ${show(value)}`;
var oneOf = (choices) => (value) => typeof value === "string" && choices.includes(value) ? void 0 : `is one of ${choices.join(", ")}, not ${show(value)}`;
var nested = (rules) => (value) => isPlainRecord(value) ? findWrongOption(value, rules) : `is an object, not ${show(value)}`;

// packages/client/src/options/check-options.ts
function checkOptions(options2, rules) {
  const wrong = findWrongOption(options2, rules);
  if (wrong !== void 0) throw invalidArgument(wrong.option, wrong.message);
}

// packages/client/src/options/value-rules.ts
var variables = (value) => {
  if (!isPlainRecord(value)) return `is an object of names and values, not ${show(value)}`;
  for (const [name, content] of Object.entries(value)) {
    if (content !== void 0 && typeof content !== "string") {
      return `has ${name}: a value is a string, or undefined to take the variable away, not ${show(content)}`;
    }
  }
  return void 0;
};
var sandbox = (value) => typeof value === "object" ? void 0 : `is a policy, not ${show(value)}`;
var STOP = {
  interruptFirst: flag,
  graceMs: duration,
  confirmMs: duration
};
var stopNames = {
  grace: "graceMs",
  timeout: "graceMs",
  timeoutMs: "graceMs",
  forceKillAfterDelay: "graceMs",
  force: "interruptFirst: false"
};
var TERMINAL_SIZE = { rows: count, cols: count };
var KEEPING = {
  stop: nested({ of: "stop", values: STOP, otherNames: stopNames }),
  drain: nested({ of: "drain", values: { until: oneOf(["exited", "closed"]), graceMs: duration } }),
  capture: nested({ of: "capture", values: { maxBytes: count } }),
  bufferBytes: count
};

// packages/client/src/options/file-option-rules.ts
var COMMON = { sandbox, signal: abortSignal };
var PLAIN = { values: COMMON };
var RECURSIVE = { values: { ...COMMON, recursive: flag } };
var patterns = (value) => Array.isArray(value) && value.every((pattern2) => typeof pattern2 === "string") ? void 0 : `is a list of patterns, not ${show(value)}`;
var TRANSFER = {
  values: { ...COMMON, exclude: patterns },
  otherNames: { ignore: "exclude", excludes: "exclude", filter: "exclude" }
};
var RULES = {
  readText: { values: COMMON, otherNames: { encoding: "readBytes, and a TextDecoder" } },
  readBytes: PLAIN,
  readStream: {
    values: { ...COMMON, start: count, end: count },
    otherNames: { offset: "start", length: "end" }
  },
  write: {
    values: {
      ...COMMON,
      parents: flag,
      atomic: flag,
      append: flag,
      exclusive: flag
    },
    otherNames: { recursive: "parents", mkdir: "parents", overwrite: "exclusive", flag: "append" }
  },
  list: PLAIN,
  walk: {
    values: {
      ...COMMON,
      maxDepth: count,
      maxEntries: count,
      followDirectoryLinks: flag,
      skipHidden: flag,
      onError: callback
    },
    otherNames: { depth: "maxDepth", limit: "maxEntries", followLinks: "followDirectoryLinks" }
  },
  stat: PLAIN,
  exists: PLAIN,
  realpath: PLAIN,
  mkdir: { ...RECURSIVE, otherNames: { parents: "recursive" } },
  remove: { values: { ...RECURSIVE.values, force: flag } },
  copy: RECURSIVE,
  move: { values: { ...COMMON, overwrite: flag }, otherNames: { force: "overwrite" } },
  watch: RECURSIVE,
  upload: TRANSFER,
  prepareUpload: PLAIN,
  download: TRANSFER
};
function checkFileOptions(call, options2) {
  checkOptions(options2, { of: `fs.${call}`, ...RULES[call] });
}

// packages/client/src/process/events/event-order.ts
var MAX_HELD_EVENTS = 1024;
var MAX_HELD_BYTES = 16 * 1024 * 1024;
var EventOrder = class {
  #publish;
  #held = /* @__PURE__ */ new Map();
  #heldBytes = 0;
  #last;
  #hasExited = false;
  #isClosed = false;
  constructor(afterSeq, publish) {
    this.#last = afterSeq;
    this.#publish = publish;
  }
  /** Everything up to and including this seq is published. */
  get lastSeq() {
    return this.#last;
  }
  /** An event is missing while later ones are here. */
  get hasHole() {
    return this.#held.size > 0;
  }
  get overflowing() {
    return this.#held.size > MAX_HELD_EVENTS || this.#heldBytes > MAX_HELD_BYTES;
  }
  push(event) {
    if (event.seq <= this.#last || this.#held.has(event.seq)) return;
    if (event.seq === this.#last + 1) {
      this.#advance(event);
      this.#releaseHeld();
      return;
    }
    this.#held.set(event.seq, event);
    this.#heldBytes += event.type === "output" ? event.bytes.length : 0;
  }
  /** Takes a `process/read` reply, which accounts for every seq below its `nextSeq`. */
  read(reply) {
    const chunks = new Map(reply.chunks.map((chunk) => [chunk.seq, chunk]));
    const end = reply.nextSeq - 1;
    const missing2 = this.#missing(chunks, end);
    const closedSeq = this.#seqOfClose(reply, missing2, end);
    const exitSeq = this.#seqOfExit(reply, missing2, closedSeq);
    while (this.#last < end) {
      const seq = this.#last + 1;
      const chunk = chunks.get(seq);
      const held = this.#held.get(seq);
      if (held !== void 0) this.#advance(held);
      else if (chunk !== void 0) {
        this.#advance({ type: "output", seq, stream: chunk.stream, bytes: decodeChunk(chunk.chunk) });
      } else if (seq === exitSeq) {
        const exitCode = reply.exitCode ?? -1;
        this.#advance({ type: "exited", seq, exitCode, ...denialOf(reply) });
      } else if (seq === closedSeq) this.#advance({ type: "closed", seq });
      else this.#skipGap(reply, missing2, { exitSeq, closedSeq });
    }
    this.#releaseHeld();
  }
  #missing(chunks, end) {
    const missing2 = /* @__PURE__ */ new Set();
    for (let seq = this.#last + 1; seq <= end; seq++) {
      if (!chunks.has(seq) && !this.#held.has(seq)) missing2.add(seq);
    }
    return missing2;
  }
  // Close is the highest seq there is.
  #seqOfClose(reply, missing2, end) {
    return reply.closed && !this.#isClosed && missing2.has(end) ? end : void 0;
  }
  // Exit takes one seq and is never evicted, output is evicted oldest first: a missing seq behind retained output is
  // the exit. When nothing else tells, it is the last missing one.
  #seqOfExit(reply, missing2, closedSeq) {
    if (!reply.exited || this.#hasExited || this.#holdsExit()) return void 0;
    const { omitted } = reply;
    let candidate;
    for (const seq of missing2) {
      if (seq === closedSeq) continue;
      if (omitted != null && seq >= omitted.fromSeq && seq <= omitted.toSeq) continue;
      candidate = seq;
    }
    if (candidate === void 0 && reply.closed) {
      for (const seq of missing2) if (seq !== closedSeq) candidate = seq;
    }
    return candidate;
  }
  #holdsExit() {
    for (const event of this.#held.values()) if (event.type === "exited") return true;
    return false;
  }
  #skipGap({ omitted }, missing2, known) {
    const fromSeq = this.#last + 1;
    let toSeq = fromSeq;
    while (missing2.has(toSeq + 1) && toSeq + 1 !== known.exitSeq && toSeq + 1 !== known.closedSeq) toSeq++;
    const bytes = omitted != null && omitted.toSeq >= fromSeq && omitted.fromSeq <= toSeq ? omitted.bytes : null;
    this.#last = toSeq;
    this.#publish({ type: "gap", gap: { fromSeq, toSeq, bytes, why: "serverEvicted" } });
  }
  #releaseHeld() {
    for (const seq of this.#held.keys()) if (seq <= this.#last) this.#drop(seq);
    for (let next = this.#held.get(this.#last + 1); next !== void 0; next = this.#held.get(this.#last + 1)) {
      this.#advance(next);
    }
  }
  #advance(event) {
    this.#last++;
    this.#drop(this.#last);
    if (event.type === "exited") this.#hasExited = true;
    if (event.type === "closed") this.#isClosed = true;
    this.#publish(event);
  }
  #drop(seq) {
    const held = this.#held.get(seq);
    if (held === void 0) return;
    this.#held.delete(seq);
    this.#heldBytes -= held.type === "output" ? held.bytes.length : 0;
  }
};
function denialOf({
  sandboxDenied,
  denial
}) {
  return { denied: sandboxDenied === true, ...denial == null ? {} : { evidence: denial } };
}
function decodeChunk(chunk) {
  const bytes = payloadBytes(chunk);
  if (bytes !== void 0) return bytes;
  const message = "the server sent output that is not base64";
  throw new ExecServerError("protocol.violation", message, { details: { message } });
}

// packages/client/src/fs/whole-file.ts
var NOTHING2 = new Uint8Array(0);
var WholeFile = class {
  #bytes = NOTHING2;
  #length = 0;
  get length() {
    return this.#length;
  }
  /** The file will have about this many bytes. */
  expect(bytes) {
    if (bytes > this.#bytes.length) this.#grow(bytes);
  }
  add(block) {
    const end = this.#length + block.length;
    if (end > this.#bytes.length) this.#grow(Math.max(end, this.#bytes.length * 2));
    this.#bytes.set(block, this.#length);
    this.#length = end;
  }
  /** Nothing is added afterwards. */
  finish() {
    if (this.#length < this.#bytes.length) this.#bytes = this.#bytes.slice(0, this.#length);
    return this.#bytes;
  }
  #grow(bytes) {
    const grown = new Uint8Array(bytes);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
};

// packages/client/src/fs/file-reader.ts
var BLOCKS_AHEAD = 4;
var WHOLE_FILE_ATTEMPTS = 20;
var MOST_EXPECTED_BYTES = 256 * 1024 * 1024;
async function readWholeFile(fs, path, options2) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await joinBlocks(fs, path, options2);
    } catch (error2) {
      const lost = ExecServerError.is(error2, "transport.lost") && fs.link.ended === void 0;
      if (!lost || attempt === WHOLE_FILE_ATTEMPTS) throw error2;
    }
  }
}
async function joinBlocks(fs, path, options2) {
  const file = new WholeFile();
  for await (const block of readBlocks(fs, path, options2)) {
    if (file.length === 0 && block.length < MAX_FILE_BLOCK_BYTES) return block;
    if (file.length === 0) file.expect(await sizeOf(fs, path, options2));
    file.add(block);
    fs.link.releasePayload(block);
  }
  return file.finish();
}
async function sizeOf(fs, path, options2) {
  const params = { path: fs.uri(path), ...fs.sandboxOf(options2) };
  const { size: size2 } = await fs.call("fs/getMetadata", params, { path, signal: options2.signal });
  return Math.min(size2, MOST_EXPECTED_BYTES);
}
async function* readBlocks(fs, path, options2) {
  const { start = 0, end = Number.MAX_SAFE_INTEGER, signal } = options2;
  if (end <= start) return;
  const handleId = newHandleId();
  const opened = fs.call(
    "fs/open",
    { handleId, path: fs.uri(path), ...fs.sandboxOf(options2) },
    { path, signal }
  );
  const block = (offset) => {
    const len = Math.min(MAX_FILE_BLOCK_BYTES, end - offset);
    const asked = opened.then(() => fs.call("fs/readBlock", { handleId, offset, len }, { path, signal }));
    asked.catch(() => void 0);
    return asked;
  };
  const ahead = [];
  try {
    let asked = start;
    const ask2 = () => {
      if (asked >= end) return;
      ahead.push(block(asked));
      asked += MAX_FILE_BLOCK_BYTES;
    };
    ask2();
    for (let next = ahead.shift(); next !== void 0; next = ahead.shift()) {
      const { chunk, eof } = await next;
      const bytes = decodeChunk(chunk);
      if (!eof) while (ahead.length < BLOCKS_AHEAD && asked < end) ask2();
      if (bytes.length > 0) yield bytes;
      if (eof) return;
    }
  } finally {
    void opened.then(() => fs.link.call("fs/close", { handleId }, { control: true })).catch(() => void 0);
  }
}
function newHandleId() {
  return crypto.randomUUID().replaceAll("-", "");
}

// packages/client/src/head-tail-buffer.ts
var HeadTailBuffer = class {
  #headBudget;
  #tailBudget;
  #head = [];
  #headBytes = 0;
  #tail = [];
  #tailStart = 0;
  #tailBytes = 0;
  #omitted = 0;
  constructor(maxBytes) {
    this.#headBudget = Math.floor(maxBytes / 2);
    this.#tailBudget = maxBytes - this.#headBudget;
  }
  get retainedBytes() {
    return this.#headBytes + this.#tailBytes;
  }
  get omittedBytes() {
    return this.#omitted;
  }
  get totalBytes() {
    return this.retainedBytes + this.#omitted;
  }
  /** The chunk must not be changed afterwards. */
  push(chunk) {
    const room = this.#omitted === 0 && this.#tailBytes === 0 ? this.#headBudget - this.#headBytes : 0;
    const toHead = Math.min(room, chunk.length);
    if (toHead > 0) {
      this.#head.push(chunk.subarray(0, toHead));
      this.#headBytes += toHead;
    }
    if (toHead < chunk.length) this.#pushTail(chunk.subarray(toHead));
  }
  /** Appends what a later buffer holds; counts come out as if one buffer had seen everything. */
  pushBuffer(later) {
    for (const chunk of later.#head) this.push(chunk);
    if (later.#omitted > 0) this.#skip(later.#omitted);
    for (const chunk of later.#retainedTail()) this.push(chunk);
  }
  /** Counts bytes that this buffer never saw; they stand between what was pushed before and after. */
  omit(bytes) {
    if (bytes > 0) this.#skip(bytes);
  }
  /** Head and tail as separate pieces; the tail continues the head when nothing was omitted. */
  parts() {
    return {
      head: concat(this.#head, this.#headBytes),
      tail: concat(this.#retainedTail(), this.#tailBytes)
    };
  }
  bytes() {
    return concat([...this.#head, ...this.#retainedTail()], this.retainedBytes);
  }
  /** The contents as they are; later pushes do not show in it. */
  clone() {
    const copy = emptyBuffer(this.#headBudget + this.#tailBudget);
    copy.#head = [...this.#head];
    copy.#headBytes = this.#headBytes;
    copy.#tail = [...this.#retainedTail()];
    copy.#tailBytes = this.#tailBytes;
    copy.#omitted = this.#omitted;
    return copy;
  }
  /** What was pushed since the last call; the buffer is empty afterwards. */
  take() {
    const taken = this.clone();
    this.#head = [];
    this.#tail = [];
    this.#headBytes = 0;
    this.#tailBytes = 0;
    this.#tailStart = 0;
    this.#omitted = 0;
    return taken;
  }
  // Everything in the tail precedes the omitted bytes, so none of it is the end any more.
  #skip(bytes) {
    this.#omitted += bytes + this.#tailBytes;
    this.#tail = [];
    this.#tailStart = 0;
    this.#tailBytes = 0;
  }
  #pushTail(chunk) {
    if (chunk.length >= this.#tailBudget) {
      this.#omitted += this.#tailBytes + (chunk.length - this.#tailBudget);
      this.#tail = this.#tailBudget === 0 ? [] : [chunk.subarray(chunk.length - this.#tailBudget)];
      this.#tailStart = 0;
      this.#tailBytes = this.#tailBudget;
      return;
    }
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    this.#dropOverflow();
  }
  #dropOverflow() {
    while (this.#tailBytes > this.#tailBudget) {
      const oldest = this.#tail[this.#tailStart];
      if (oldest === void 0) return;
      const excess = Math.min(this.#tailBytes - this.#tailBudget, oldest.length);
      this.#omitted += excess;
      this.#tailBytes -= excess;
      if (excess === oldest.length) this.#tailStart++;
      else this.#tail[this.#tailStart] = oldest.subarray(excess);
    }
    if (this.#tailStart > 1024 && this.#tailStart * 2 > this.#tail.length) this.#tail = this.#retainedTail();
  }
  #retainedTail() {
    if (this.#tailStart > 0) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
    return this.#tail;
  }
};
function concat(chunks, totalBytes) {
  const only = chunks[0];
  if (chunks.length === 1 && only !== void 0) return only;
  const joined = new Uint8Array(totalBytes);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
function emptyBuffer(maxBytes) {
  return new HeadTailBuffer(maxBytes);
}

// packages/client/src/fs/file-writer.ts
var BLOCKS_IN_FLIGHT = 4;
async function writeFile2(fs, path, job) {
  const { data, options: options2, onBytes } = job;
  const { append = false, exclusive = false, atomic = false } = options2;
  if (append || exclusive)
    fs.capabilities.require("fs.writeOptions", append ? "Appending" : "Exclusive creation");
  const blocks = blocksOf(data);
  const first = await nextBlock(blocks);
  const second = first.length < MAX_FILE_BLOCK_BYTES ? void 0 : await blocks.next();
  if (options2.parents === true) await makeParents(fs, path, options2);
  if (second === void 0 || second.done === true) {
    if (atomic) fs.capabilities.require("fs.writeOptions", "Atomic writing");
    await writeWhole(fs, path, { bytes: first, options: options2 });
    onBytes(first.length);
    return;
  }
  if (append || exclusive) throw tooLarge(path, append ? "append" : "exclusive");
  if (atomic) fs.capabilities.require("fs.rename", "Atomic writing of a large file");
  fs.capabilities.require("fs.writeStream", "Writing a file above 1 MiB");
  await writeStreamed(fs, path, { blocks: startingWith([first, second.value], blocks), options: options2, onBytes });
}
async function writeWhole(fs, path, { bytes, options: options2 }) {
  const { append, exclusive, atomic, signal } = options2;
  await fs.call(
    "fs/writeFile",
    {
      path: fs.uri(path),
      dataBase64: bytes,
      ...append === true ? { append } : {},
      ...exclusive === true ? { exclusive } : {},
      ...atomic === true ? { atomic } : {},
      ...fs.sandboxOf(options2)
    },
    { path, signal, repeatable: append !== true && exclusive !== true }
  );
}
async function writeStreamed(fs, path, job) {
  const { options: options2 } = job;
  const target = options2.atomic === true ? `${fs.absolute(path)}.${newHandleId()}.part` : path;
  try {
    await writeThroughHandle(fs, target, job);
    if (target === path) return;
    const move = { sourcePath: fs.uri(target), destinationPath: fs.uri(path), ...fs.sandboxOf(options2) };
    await fs.call("fs/rename", move, { path });
  } catch (error2) {
    if (target !== path) {
      const remove = { path: fs.uri(target), force: true, ...fs.sandboxOf(options2) };
      await fs.link.call("fs/remove", remove, { repeatable: true }).catch(() => void 0);
    }
    throw error2;
  }
}
async function writeThroughHandle(fs, path, job) {
  const { signal } = job.options;
  const handleId = newHandleId();
  const open2 = { handleId, path: fs.uri(path), mode: "replace", ...fs.sandboxOf(job.options) };
  await fs.call("fs/open", open2, { path, signal });
  const inFlight = [];
  let offset = 0;
  try {
    for await (const bytes of job.blocks) {
      const params = { handleId, offset, chunk: bytes };
      offset += bytes.length;
      const written = fs.call("fs/writeBlock", params, { path, signal }).then(() => job.onBytes(bytes.length));
      written.catch(() => void 0);
      inFlight.push(written);
      if (inFlight.length >= BLOCKS_IN_FLIGHT) await inFlight.shift();
    }
    await Promise.all(inFlight);
    await fs.call("fs/close", { handleId }, { path, signal });
  } catch (error2) {
    await fs.link.call("fs/close", { handleId }, { control: true }).catch(() => void 0);
    throw error2;
  }
}
async function makeParents(fs, path, options2) {
  const absolute = fs.absolute(path);
  const parent = absolute.slice(0, Math.max(1, absolute.lastIndexOf("/")));
  const params = { path: fs.uri(parent), recursive: true, ...fs.sandboxOf(options2) };
  await fs.call("fs/createDirectory", params, { path: parent, repeatable: true });
}
async function* blocksOf(data) {
  const encoder = new TextEncoder();
  let pending = [];
  let size2 = 0;
  for await (const piece of typeof data === "string" || data instanceof Uint8Array ? [data] : data) {
    let bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
    while (size2 + bytes.length >= MAX_FILE_BLOCK_BYTES) {
      const room = MAX_FILE_BLOCK_BYTES - size2;
      yield concat([...pending, bytes.subarray(0, room)], MAX_FILE_BLOCK_BYTES);
      bytes = bytes.subarray(room);
      pending = [];
      size2 = 0;
    }
    if (bytes.length > 0) pending.push(bytes);
    size2 += bytes.length;
  }
  if (size2 > 0) yield concat(pending, size2);
}
async function nextBlock(blocks) {
  const { value, done } = await blocks.next();
  return done === true ? new Uint8Array(0) : value;
}
async function* startingWith(first, rest) {
  yield* first;
  yield* rest;
}
function tooLarge(path, what) {
  return new ExecServerError(
    "fs.io",
    `${path}: ${what} takes at most ${MAX_FILE_BLOCK_BYTES} bytes at a time`,
    {
      details: { path }
    }
  );
}

// packages/client/src/rpc-failure.ts
function rejected(method, error2) {
  return new ExecServerError("server.rejected", `the server refused ${method}: ${error2.message}`, {
    details: { method, rpcCode: error2.code },
    cause: error2
  });
}
function spawnFailure(error2, what) {
  if (!(error2 instanceof RpcError)) return error2;
  const { processId, command, cwd } = what;
  if (error2.message.endsWith("already exists") && error2.code === RpcErrorCode.invalidRequest) {
    return new ExecServerError("process.idInUse", `process id ${processId} is in use in this session`, {
      details: { processId },
      cause: error2
    });
  }
  const reason = spawnReason(error2);
  return new ExecServerError("process.spawn", `cannot start ${command} in ${cwd}: ${error2.message}`, {
    details: { command, cwd, reason },
    ...spawnHint(error2, reason, cwd),
    cause: error2
  });
}
function spawnHint({ message, data }, reason, cwd) {
  if (reason === "cwdMissing") {
    if (/os error 13\b/.test(message))
      return { hint: `The working directory ${cwd} may not be entered there.` };
    if (/os error 20\b/.test(message)) return { hint: `The working directory ${cwd} is no directory there.` };
    return { hint: `The working directory ${cwd} does not exist there.` };
  }
  if (reason !== "notFound") return {};
  const isAboutProgram = typeof data === "object" && data !== null && "program" in data;
  return {
    hint: `The program ${isAboutProgram ? "" : "or the working directory "}does not exist there.`
  };
}
function spawnReason({ message, data }) {
  if (/sandbox/i.test(message)) return "sandbox";
  const isAboutCwd = typeof data === "object" && data !== null && "cwd" in data;
  if (isAboutCwd || /\bcwd\b|working directory/i.test(message)) return "cwdMissing";
  if (/os error 2\b|No viable candidates|not found|ENOENT/i.test(message)) return "notFound";
  if (/os error 13\b|EACCES|permission denied|exec format/i.test(message)) return "notExecutable";
  return "other";
}
function fsFailure(error2, method, path) {
  if (!(error2 instanceof RpcError)) return error2;
  const { message, code } = error2;
  const say2 = `${path}: ${message}`;
  if (code === RpcErrorCode.notFound) {
    return new ExecServerError("fs.notFound", say2, { details: { path }, cause: error2 });
  }
  if (/os error (1|13|30)\b|permission denied|operation not permitted|read-only file system|sandbox/i.test(
    message
  )) {
    return new ExecServerError("fs.denied", say2, { details: { path }, cause: error2 });
  }
  if (/os error 17\b|file exists|already exists/i.test(message)) {
    return new ExecServerError("fs.exists", say2, { details: { path }, cause: error2 });
  }
  if (code === RpcErrorCode.methodNotFound || code === RpcErrorCode.invalidParams)
    return rejected(method, error2);
  return new ExecServerError("fs.io", say2, { details: { path }, cause: error2 });
}

// packages/client/src/fs/remote-path.ts
function remotePath(path, { cwd }) {
  if (path === "") throw invalidArgument("path", "an empty path names nothing");
  if (path.startsWith("/")) return path;
  if (path.startsWith("file:")) return fromFileUri(path);
  if (cwd == null)
    throw invalidArgument("path", `the server does not say where ${path} starts; use an absolute path`);
  return `${fromFileUri(cwd)}/${path}`;
}
function toFileUri(path) {
  return pathToFileUri(path);
}
function fromFileUri(text3) {
  return parsePathInput(text3).path;
}
function joinPath(directory, name) {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

// packages/client/src/sandbox-option.ts
function wireSandbox(sandbox2, { info, cwd }) {
  if (!("fileSystem" in sandbox2)) return sandbox2;
  const workspace = toFileUri(remotePath(cwd, info));
  return {
    permissions: permissionsOf(sandbox2, info),
    cwd: workspace,
    workspaceRoots: [workspace],
    windowsSandboxLevel: "disabled"
  };
}
function permissionsOf({ fileSystem, network }, info) {
  if (network === "loopback") {
    throw invalidArgument(
      "sandbox",
      "a server knows the networks 'restricted' and 'enabled'; 'loopback' is for local use"
    );
  }
  switch (fileSystem.type) {
    case "external":
      return { type: "external", network };
    case "unrestricted":
      return network === "enabled" ? { type: "disabled" } : { type: "managed", file_system: { type: "unrestricted" }, network };
    case "restricted": {
      const { entries, globScanMaxDepth: depth } = fileSystem;
      return {
        type: "managed",
        file_system: {
          type: "restricted",
          // `whenMissing` has no word on the wire: servers cover what is missing, which protects as well.
          entries: entries.map(({ path, access }) => ({ path: wirePath(path, info), access })),
          ...depth === void 0 ? {} : { glob_scan_max_depth: depth }
        },
        network
      };
    }
  }
}
function wirePath(path, info) {
  switch (path.type) {
    case "path":
      return { type: "path", path: toFileUri(remotePath(path.path, info)) };
    case "glob":
      return { type: "glob_pattern", pattern: path.pattern };
    case "workspaceRoots": {
      const subpath = path.subpath === void 0 ? {} : { subpath: path.subpath };
      return { type: "special", value: { kind: "project_roots", ...subpath } };
    }
    case "slashTmp":
      return { type: "special", value: { kind: "slash_tmp" } };
    case "root":
    case "minimal":
    case "tmpdir":
      return { type: "special", value: { kind: path.type } };
  }
}

// packages/client/src/fs/fs-context.ts
var FsContext = class {
  link;
  capabilities;
  run;
  constructor({ link, capabilities, run: run3 }) {
    this.link = link;
    this.capabilities = capabilities;
    this.run = run3;
  }
  /** Whether files have permission bits there. */
  get hasModes() {
    return this.link.info.platformOs !== "windows";
  }
  absolute(path) {
    return remotePath(path, this.link.info);
  }
  uri(path) {
    return toFileUri(this.absolute(path));
  }
  /** The members of a request that come from the options. */
  sandboxOf({ sandbox: sandbox2 }) {
    return sandbox2 === void 0 ? {} : { sandbox: wireSandbox(sandbox2, { info: this.link.info, cwd: "." }) };
  }
  /** Failures are told about `path`. */
  async call(method, params, { path, ...options2 }) {
    try {
      return await this.link.call(method, params, options2);
    } catch (error2) {
      throw fsFailure(error2, method, path);
    }
  }
};

// packages/client/src/fs/transfer.ts
var Transfer = class {
  #abort = new AbortController();
  #done;
  #clock;
  #startedAt;
  #waiting = /* @__PURE__ */ new Set();
  #bytes = 0;
  #totalBytes;
  #files;
  #totalFiles;
  #path;
  #hasSettled = false;
  constructor(job) {
    this.#clock = job.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    this.#totalBytes = job.totalBytes;
    const signal = job.signal === void 0 ? this.#abort.signal : AbortSignal.any([this.#abort.signal, job.signal]);
    this.#done = job.work(signal, this.#report()).finally(() => {
      this.#hasSettled = true;
      this.#wake();
    });
    this.#done.catch(() => void 0);
  }
  // biome-ignore lint/suspicious/noThenProperty: a transfer is awaited for its end.
  then(onDone, onError) {
    return this.#done.then(onDone, onError);
  }
  #report() {
    return {
      bytes: (count2) => {
        this.#bytes += count2;
        this.#wake();
      },
      file: (path) => {
        this.#files = (this.#files ?? 0) + 1;
        this.#path = path;
        this.#wake();
      },
      total: ({ bytes, files }) => {
        this.#totalBytes = bytes;
        this.#totalFiles = files;
      }
    };
  }
  get progress() {
    const seconds = (this.#clock.now() - this.#startedAt) / 1e3;
    return {
      bytes: this.#bytes,
      ...this.#totalBytes === void 0 ? {} : { totalBytes: this.#totalBytes },
      bytesPerSecond: seconds > 0 ? this.#bytes / seconds : 0,
      ...this.#files === void 0 ? {} : { files: this.#files },
      ...this.#totalFiles === void 0 ? {} : { totalFiles: this.#totalFiles },
      ...this.#path === void 0 ? {} : { path: this.#path }
    };
  }
  abort(reason) {
    this.#abort.abort(reason);
  }
  /** Progress whenever there is some, at last the final one; throws what made the transfer fail. */
  async *[Symbol.asyncIterator]() {
    while (!this.#isOver()) {
      yield this.progress;
      if (!this.#isOver()) await new Promise((resolve) => this.#waiting.add(resolve));
    }
    await this.#done;
    yield this.progress;
  }
  #isOver() {
    return this.#hasSettled;
  }
  #wake() {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
};

// packages/rpc/src/ws/connect/connect-error.ts
var ConnectError = class extends CodedError {
};

// node_modules/.pnpm/ws@8.22.2/node_modules/ws/wrapper.mjs
var import_stream = __toESM(require_stream(), 1);
var import_extension = __toESM(require_extension(), 1);
var import_permessage_deflate = __toESM(require_permessage_deflate(), 1);
var import_receiver = __toESM(require_receiver(), 1);
var import_sender = __toESM(require_sender(), 1);
var import_subprotocol = __toESM(require_subprotocol(), 1);
var import_websocket = __toESM(require_websocket(), 1);
var import_websocket_server = __toESM(require_websocket_server(), 1);

// packages/rpc/src/ws/web-socket-channel.ts
import { Buffer as Buffer13, isUtf8 as isUtf82 } from "node:buffer";

// packages/rpc/src/bytes/life-probes.ts
var LifeProbes = class {
  #waiters = /* @__PURE__ */ new Set();
  get isWaiting() {
    return this.#waiters.size > 0;
  }
  wait(timeoutMs) {
    return new Promise((resolve) => {
      const waiter = {
        settle: (alive) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(alive);
        }
      };
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }
  alive() {
    for (const waiter of this.#waiters) waiter.settle(true);
  }
  close() {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
};

// packages/rpc/src/bytes/message-text.ts
import { isAscii as isAscii2, isUtf8 } from "node:buffer";
function messageText(data) {
  if (isAscii2(data)) return data.toString("latin1");
  return isUtf8(data) ? data.toString("utf8") : void 0;
}

// packages/rpc/src/bytes/spare-memory.ts
import { Buffer as Buffer2 } from "node:buffer";
var MOST_KEPT_BYTES = 16 * 1024 * 1024;
var KEPT_MS = 1e3;
var SpareMemory = class {
  #borrowed = /* @__PURE__ */ new WeakSet();
  /** The one given back last is the last. */
  #spares = [];
  #timer;
  /** At least that many bytes, with anything in them. What is not given back is garbage like any other. */
  borrow(bytes) {
    const place2 = this.#spares.findLastIndex(({ length }) => length >= bytes);
    const [spare] = place2 === -1 ? [] : this.#spares.splice(place2, 1);
    const memory = spare ?? Buffer2.allocUnsafeSlow(bytes);
    this.#borrowed.add(memory.buffer);
    return memory;
  }
  /** Only when the bytes are no longer used. What was not borrowed here is left alone. */
  release({ buffer }) {
    if (!this.#borrowed.delete(buffer) || buffer.byteLength > MOST_KEPT_BYTES) return;
    this.#spares.push(Buffer2.from(buffer));
    this.#dropSmallest();
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    this.#timer.refresh();
  }
  #dropSmallest() {
    let kept = this.#spares.reduce((sum, { length }) => sum + length, 0);
    for (; kept > MOST_KEPT_BYTES; ) {
      const smallest = Math.min(...this.#spares.map(({ length }) => length));
      this.#spares.splice(
        this.#spares.findIndex(({ length }) => length === smallest),
        1
      );
      kept -= smallest;
    }
  }
  #forget() {
    this.#spares = [];
    this.#timer = void 0;
  }
};
var frameMemory = new SpareMemory();
var sendMemory = new SpareMemory();
var payloadMemory = new SpareMemory();

// packages/rpc/src/ws/close-info.ts
import { Buffer as Buffer3 } from "node:buffer";
var CLOSE_NORMAL = 1e3;
var CLOSE_PROTOCOL_ERROR = 1002;
var CLOSE_BROKEN = 1006;
var CLOSE_NOT_UTF8 = 1007;
var CLOSE_TOO_LARGE = 1009;
var MAX_REASON_BYTES = 123;
function fitReason(reason) {
  const bytes = Buffer3.from(reason, "utf8");
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  let end = MAX_REASON_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 192) === 128) end--;
  return bytes.toString("utf8", 0, end);
}
function closeOfError(error2) {
  const name = String(Reflect.get(error2, "code") ?? "");
  if (name === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH" || name === "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH") {
    return { code: CLOSE_TOO_LARGE, reason: "message too large", clean: false };
  }
  if (name === "WS_ERR_INVALID_UTF8") return { code: CLOSE_NOT_UTF8, reason: error2.message, clean: false };
  if (name.startsWith("WS_ERR_")) return { code: CLOSE_PROTOCOL_ERROR, reason: error2.message, clean: false };
  return { code: CLOSE_BROKEN, reason: error2.message, clean: false };
}
function closeOfFrame(code, reason) {
  if (code !== CLOSE_BROKEN) return { code, reason, clean: true };
  return { code, reason: reason === "" ? "connection lost without a close frame" : reason, clean: false };
}

// packages/rpc/src/ws/connect/shared-reads.ts
import { Buffer as Buffer4 } from "node:buffer";
import { connect } from "node:net";
var READ_BYTES = 256 * 1024;
var shared;
var readers = /* @__PURE__ */ new WeakMap();
function connectWithSharedReads(options2) {
  shared ??= Buffer4.allocUnsafeSlow(READ_BYTES);
  const socket = connect({
    ...options2,
    onread: {
      buffer: shared,
      callback: (bytes, buffer) => {
        deliver(socket, Buffer4.from(buffer.buffer, buffer.byteOffset, bytes));
        return true;
      }
    }
  });
  readers.set(socket, void 0);
  return socket;
}
function readWithoutCopies(socket, afterRead) {
  if (!readers.has(socket)) return false;
  readers.set(socket, afterRead);
  return true;
}
function isOfSharedRead(bytes) {
  return bytes.buffer === shared?.buffer;
}
function deliver(socket, bytes) {
  const afterRead = readers.get(socket);
  if (afterRead === void 0 || socket.readableLength > 0 || socket.readableFlowing !== true) {
    socket.push(Buffer4.from(bytes));
    return;
  }
  socket.emit("data", bytes);
  afterRead();
}

// packages/rpc/src/ws/delivery-window.ts
import { Buffer as Buffer5 } from "node:buffer";
var MAX_WINDOW_BYTES = 4 * 1024 * 1024;
var PINGS_PER_WINDOW = 8;
var FIRST_PING_BYTES = 64 * 1024;
var GIVE_UP_MS = 5e3;
var LEAST_PACE_BYTES_PER_MS = 256;
var MARK_BYTES = 8;
var DeliveryWindow = class {
  #options;
  #sentBytes = 0;
  #askedBytes = 0;
  #readBytes = 0;
  #spacingBytes = FIRST_PING_BYTES;
  /** Pings without an answer, the oldest first. */
  #asked = [];
  #lastAnswerAt = Number.NEGATIVE_INFINITY;
  #paceBytesPerMs = LEAST_PACE_BYTES_PER_MS;
  #hasAnswered = false;
  #patience;
  #isBounded;
  #windowBytes = MAX_WINDOW_BYTES;
  constructor(options2) {
    this.#options = options2;
    this.#isBounded = options2.isBounded ?? true;
  }
  /** All bytes that were handed to the socket. */
  get sentBytes() {
    return this.#sentBytes;
  }
  /** How many of them the remote end has read; undefined when it does not tell. */
  get readBytes() {
    return this.#isBounded || this.#hasAnswered ? this.#readBytes : void 0;
  }
  /**
   * Since when the remote end, which has answered before, owes its next answer: since it was asked, or since its last
   * answer. Several pings are on the way at once, and a slow reader comes to them one after the other.
   */
  get owesAnswerSince() {
    const next = this.#asked[0];
    if (!this.#hasAnswered || next === void 0) return void 0;
    return Math.max(next.at, this.#lastAnswerAt);
  }
  /** How long a living reader may need, by the pace seen so far, until it comes to the next ping. */
  get expectedAnswerMs() {
    const next = this.#asked[0];
    if (next === void 0) return 0;
    return (next.position - this.#readBytes) / Math.min(this.#paceBytesPerMs, LEAST_PACE_BYTES_PER_MS);
  }
  /** For a sender that keeps little: a smaller window. */
  narrow(bytes) {
    this.#windowBytes = Math.min(bytes, MAX_WINDOW_BYTES);
  }
  /** How many of the bytes sent, except for those that still wait in this process, are beyond the window. */
  excessBytes(waitingBytes) {
    if (!this.#isBounded) return 0;
    return Math.max(0, this.#sentBytes - waitingBytes - this.#readBytes - this.#windowBytes);
  }
  sent(bytes) {
    this.#sentBytes += bytes;
    if (!this.#isBounded) return;
    const spacing = Math.min(this.#spacingBytes, this.#windowBytes / PINGS_PER_WINDOW);
    if (this.#sentBytes - this.#askedBytes < spacing) return;
    this.#spacingBytes = Math.min(this.#spacingBytes * 2, MAX_WINDOW_BYTES / PINGS_PER_WINDOW);
    this.ask();
    if (!this.#hasAnswered) this.#patience ??= setTimeout(() => this.#giveUp(), GIVE_UP_MS).unref();
  }
  /** Asks how far the remote end has read, and so whether it is there. */
  ask() {
    this.#askedBytes = this.#sentBytes;
    const mark = Buffer5.alloc(MARK_BYTES);
    mark.writeDoubleBE(this.#sentBytes);
    if (this.#asked.at(-1)?.position !== this.#sentBytes && this.#asked.length < 2 * PINGS_PER_WINDOW)
      this.#asked.push({ position: this.#sentBytes, at: performance.now() });
    this.#options.ping(mark);
  }
  /** The remote end has answered a ping; one of ours carries a mark. */
  pong(mark) {
    if (mark.length !== MARK_BYTES) return;
    const read = mark.readDoubleBE();
    if (!(read >= this.#readBytes && read <= this.#askedBytes)) return;
    this.#hasAnswered = true;
    if (this.#options.isBounded !== false) this.#isBounded = true;
    this.#measure(read);
    this.end();
    if (read === this.#readBytes) return;
    this.#readBytes = read;
    this.#options.opened();
  }
  end() {
    clearTimeout(this.#patience);
  }
  #measure(read) {
    const now = performance.now();
    const answered = this.#asked.filter(({ position }) => position <= read);
    this.#asked.splice(0, answered.length);
    const bytes = read - this.#readBytes;
    const tookMs = now - Math.max(answered.at(-1)?.at ?? now, this.#lastAnswerAt);
    if (bytes >= FIRST_PING_BYTES && tookMs > 0) this.#paceBytesPerMs = bytes / tookMs;
    this.#lastAnswerAt = now;
  }
  #giveUp() {
    this.#isBounded = false;
    this.#asked = [];
    this.#options.opened();
  }
};

// packages/rpc/src/ws/frames/frame-batch.ts
import { Buffer as Buffer11 } from "node:buffer";

// packages/rpc/src/bytes/outgoing-message.ts
import { Buffer as Buffer8 } from "node:buffer";

// packages/rpc/src/bytes/long-message.ts
import { Buffer as Buffer7 } from "node:buffer";

// packages/rpc/src/bytes/wire-bytes.ts
import { Buffer as Buffer6 } from "node:buffer";
function wireByteLength(message) {
  if (typeof message === "string") return Buffer6.byteLength(message);
  let total = 0;
  for (const segment of message) {
    total += typeof segment === "string" ? Buffer6.byteLength(segment) : base64Length(segment.length);
  }
  return total;
}
function writeWire(message, target, offset) {
  if (typeof message === "string") return offset + target.write(message, offset, "utf8");
  let position = offset;
  for (const segment of message) {
    position += typeof segment === "string" ? target.write(segment, position, "utf8") : writeBase64(segment, target, position);
  }
  return position;
}
var BASE64_PIECE_BYTES = 12 * 1024;
function base64Piece(source, start) {
  return source.toString("base64", start, start + BASE64_PIECE_BYTES);
}
function writeBase64(bytes, target, offset) {
  const source = Buffer6.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = offset;
  for (let start = 0; start < source.length; start += BASE64_PIECE_BYTES) {
    position += target.write(base64Piece(source, start), position, "latin1");
  }
  return position - offset;
}
function base64Length(byteLength) {
  return Math.ceil(byteLength / 3) * 4;
}

// packages/rpc/src/bytes/long-message.ts
var NOTHING3 = "";
var LongMessage = class {
  #segments;
  #isRaw;
  #segment = 0;
  /** Bytes of the current segment that are encoded. */
  #encoded = 0;
  #piece = NOTHING3;
  #remainingBytes;
  #hasBegun = false;
  /** Raw payloads are sent as they are. */
  constructor(message, byteLength, payloads = "base64") {
    this.#isRaw = payloads === "raw";
    this.#segments = typeof message === "string" ? [message] : message;
    this.#remainingBytes = byteLength;
  }
  get remainingBytes() {
    return this.#remainingBytes;
  }
  /** Something of it has been written. */
  get hasBegun() {
    return this.#hasBegun;
  }
  /** Fills the target, which must not be longer than what remains. */
  fill(target) {
    this.#hasBegun = true;
    this.#remainingBytes -= target.length;
    for (let position = 0; position < target.length; ) {
      if (this.#piece.length === 0) this.#piece = this.#nextPiece();
      position += this.#writePiece(target, position);
    }
  }
  /** The next bytes where they are, of a message whose payloads are raw. */
  views(length) {
    this.#hasBegun = true;
    this.#remainingBytes -= length;
    const views = [];
    for (let missing2 = length; missing2 > 0; ) {
      if (this.#piece.length === 0) this.#piece = this.#nextPiece();
      const piece = typeof this.#piece === "string" ? Buffer7.from(this.#piece, "latin1") : this.#piece;
      const view = piece.subarray(0, missing2);
      this.#piece = piece.subarray(view.length);
      missing2 -= view.length;
      views.push(view);
    }
    return views;
  }
  #writePiece(target, position) {
    const piece = this.#piece;
    const room = target.length - position;
    if (typeof piece === "string") {
      this.#piece = piece.slice(room);
      return target.write(piece, position, "latin1");
    }
    this.#piece = piece.subarray(room);
    return piece.copy(target, position);
  }
  #nextPiece() {
    const segment = this.#segments[this.#segment] ?? "";
    if (typeof segment === "string") {
      this.#segment++;
      return Buffer7.from(segment, "utf8");
    }
    if (this.#isRaw) {
      this.#segment++;
      return bufferOf(segment);
    }
    const start = this.#encoded;
    this.#encoded += BASE64_PIECE_BYTES;
    if (this.#encoded >= segment.length) {
      this.#segment++;
      this.#encoded = 0;
    }
    return base64Piece(bufferOf(segment), start);
  }
};
function bufferOf({ buffer, byteOffset, length }) {
  return Buffer7.from(buffer, byteOffset, length);
}

// packages/rpc/src/bytes/outgoing-message.ts
function outgoingMessage(message, isBinary) {
  return isBinary && hasPayload(message) ? new BinaryOutgoing(binaryParts(message)) : new TextOutgoing(message);
}
var TextOutgoing = class {
  isBinary = false;
  length;
  #message;
  constructor(message) {
    this.#message = message;
    this.length = wireByteLength(message);
  }
  write(target, offset) {
    return writeWire(this.#message, target, offset);
  }
  long() {
    return new LongMessage(this.#message, this.length);
  }
  copy() {
    return new CopiedOutgoing(this);
  }
};
var BinaryOutgoing = class {
  isBinary = true;
  length;
  #parts;
  #textBytes;
  constructor(parts) {
    this.#parts = parts;
    this.#textBytes = Buffer8.byteLength(parts.text);
    this.length = BINARY_HEADER_BYTES + this.#textBytes + parts.payloadBytes;
  }
  write(target, offset) {
    let position = this.#writeHead(target, offset);
    for (const payload of this.#parts.payloads) {
      target.set(payload, position);
      position += payload.length;
    }
    return position;
  }
  long() {
    const head = Buffer8.allocUnsafe(BINARY_HEADER_BYTES + this.#textBytes);
    this.#writeHead(head, 0);
    return new LongMessage([head, ...this.#parts.payloads], this.length, "raw");
  }
  copy() {
    return new CopiedOutgoing(this);
  }
  #writeHead(target, offset) {
    const { text: text3, payloadBytes: payloadBytes2 } = this.#parts;
    const position = writeBinaryHeader(target, offset, { textBytes: this.#textBytes, payloadBytes: payloadBytes2 });
    return position + target.write(text3, position, "utf8");
  }
};
var CopiedOutgoing = class {
  isBinary;
  length;
  #bytes;
  constructor(message) {
    this.isBinary = message.isBinary;
    this.length = message.length;
    this.#bytes = Buffer8.allocUnsafe(message.length);
    message.write(this.#bytes, 0);
  }
  write(target, offset) {
    return offset + this.#bytes.copy(target, offset);
  }
  long() {
    return new LongMessage([this.#bytes], this.length, "raw");
  }
  copy() {
    return this;
  }
};

// packages/rpc/src/ws/frames/frame-mask.ts
import { Buffer as Buffer9 } from "node:buffer";
var POOL_BYTES = 4096;
var pool = { bytes: Buffer9.alloc(0), used: 0 };
function freshMask() {
  if (pool.used + 4 > pool.bytes.length) {
    pool.bytes = crypto.getRandomValues(Buffer9.allocUnsafe(POOL_BYTES));
    pool.used = 0;
  }
  pool.used += 4;
  return pool.bytes.subarray(pool.used - 4, pool.used);
}
function maskInPlace(target, start, mask) {
  const end = target.length;
  let position = start;
  while (position < end && (target.byteOffset + position) % 4 !== 0) xorByte(target, position++, start, mask);
  const wordCount = end - position >> 2;
  if (wordCount > 0) {
    const rotated2 = new Uint8Array(4);
    for (let index = 0; index < 4; index++) rotated2[index] = mask[position - start + index & 3] ?? 0;
    const key = new Int32Array(rotated2.buffer)[0] ?? 0;
    xorWords(new Int32Array(target.buffer, target.byteOffset + position, wordCount), key);
    position += wordCount * 4;
  }
  while (position < end) xorByte(target, position++, start, mask);
}
function xorWords(words, key) {
  const rest = words.length % 4;
  const rounds = words.length - rest;
  for (let index = 0; index < rounds; index += 4) {
    words[index] = (words[index] ?? 0) ^ key;
    words[index + 1] = (words[index + 1] ?? 0) ^ key;
    words[index + 2] = (words[index + 2] ?? 0) ^ key;
    words[index + 3] = (words[index + 3] ?? 0) ^ key;
  }
  for (let index = rounds; index < words.length; index++) words[index] = (words[index] ?? 0) ^ key;
}
function xorByte(target, position, start, mask) {
  target[position] = (target[position] ?? 0) ^ (mask[position - start & 3] ?? 0);
}

// packages/rpc/src/ws/frames/frame-header.ts
var MAX_HEADER_BYTES = 14;
var FIN = 128;
var TEXT = 1;
var BINARY = 2;
var CONTINUATION = 0;
var MASKED = 128;
function writeFrameHeader(target, offset, header) {
  const { payloadBytes: payloadBytes2, masked, isBinary, isFirst, isLast } = header;
  const maskBit = masked ? MASKED : 0;
  let position = offset + 2;
  const opcode = isBinary ? BINARY : TEXT;
  target[offset] = (isFirst ? opcode : CONTINUATION) | (isLast ? FIN : 0);
  if (payloadBytes2 < 126) {
    target[offset + 1] = maskBit | payloadBytes2;
  } else if (payloadBytes2 < 65536) {
    target[offset + 1] = maskBit | 126;
    position = target.writeUInt16BE(payloadBytes2, position);
  } else {
    target[offset + 1] = maskBit | 127;
    position = target.writeUInt32BE(Math.floor(payloadBytes2 / 2 ** 32), position);
    position = target.writeUInt32BE(payloadBytes2 >>> 0, position);
  }
  return masked ? position + freshMask().copy(target, position) : position;
}

// packages/rpc/src/ws/frames/slab-pool.ts
import { Buffer as Buffer10 } from "node:buffer";
var SLAB_BYTES = 512 * 1024;
var MAX_FREE = 8;
var free = [];
function acquireSlab() {
  return free.pop() ?? Buffer10.allocUnsafeSlow(SLAB_BYTES);
}
function releaseSlab(slab) {
  if (free.length < MAX_FREE) free.push(slab);
}

// packages/rpc/src/ws/frames/frame-batch.ts
var SMALL_MESSAGE = 16 * 1024;
var MAX_PAYLOAD_BYTES = SLAB_BYTES - MAX_HEADER_BYTES;
var MAX_BINARY_PAYLOAD_BYTES = 4 * 1024 * 1024;
var LONG_MESSAGE_MARK_BYTES = 2 * SLAB_BYTES;
var FrameBatch = class {
  #options;
  #chunk;
  #isSlab = false;
  #used = 0;
  #long;
  #isLongBinary = false;
  #isBinary = false;
  #behindLong = [];
  #behindLongBytes = 0;
  constructor(options2) {
    this.#options = options2;
  }
  /** Bytes that were added and not handed to the socket. */
  get pendingBytes() {
    return this.#used + (this.#long?.remainingBytes ?? 0) + this.#behindLongBytes;
  }
  /** The same with the headers of frames that are not made yet. */
  get pendingBytesAtMost() {
    const long = this.#long;
    if (long === void 0) return this.#used;
    const frames = Math.ceil(long.remainingBytes / this.#mostBytesOfLong) + this.#behindLong.length;
    return this.pendingBytes + frames * MAX_HEADER_BYTES;
  }
  /** Messages with payloads are sent in binary form from here on. */
  useBinary() {
    this.#isBinary = true;
  }
  add(message) {
    this.#add(outgoingMessage(message, this.#isBinary));
  }
  /** Hands the messages of this turn to the socket; a long one goes on by itself. */
  flush() {
    const chunk = this.#chunk;
    if (chunk === void 0) return;
    this.#chunk = void 0;
    this.#write(chunk.subarray(0, this.#used), this.#isSlab ? () => releaseSlab(chunk) : void 0);
    this.#used = 0;
  }
  /** Hands everything to the socket, however much it holds: nothing is added any more. */
  finish() {
    this.#continueLong(Number.POSITIVE_INFINITY);
    this.flush();
  }
  /** Sends nothing more of a long message and of what waits behind it. */
  discard() {
    this.#dropLong();
  }
  #add(message) {
    const { length, isBinary } = message;
    if (this.#long !== void 0) {
      this.#behindLong.push(length > MAX_PAYLOAD_BYTES ? message : message.copy());
      this.#behindLongBytes += length;
    } else if (length > MAX_PAYLOAD_BYTES) {
      this.flush();
      this.#long = message.long();
      this.#isLongBinary = isBinary;
      this.#continueLong(LONG_MESSAGE_MARK_BYTES);
    } else {
      const chunk = this.#room(length + MAX_HEADER_BYTES);
      const header = this.#header(length, { isBinary, isFirst: true, isLast: true });
      const start = writeFrameHeader(chunk, this.#used, header);
      this.#used = message.write(chunk, start);
      this.#mask(chunk, start, this.#used);
    }
  }
  // A turn mostly has one small message: it gets a buffer of its size. A second one, or a large one, opens a slab.
  #room(bytes) {
    const chunk = this.#chunk;
    if (chunk !== void 0 && this.#used + bytes <= chunk.length) return chunk;
    const previous = chunk !== void 0 && !this.#isSlab ? chunk.subarray(0, this.#used) : void 0;
    if (previous === void 0 || previous.length + bytes > SLAB_BYTES) this.flush();
    if (this.#chunk === void 0 && bytes <= SMALL_MESSAGE) {
      this.#isSlab = false;
      this.#chunk = Buffer11.allocUnsafe(bytes);
    } else {
      this.#isSlab = true;
      this.#chunk = acquireSlab();
      if (this.#used > 0) previous?.copy(this.#chunk);
    }
    return this.#chunk;
  }
  #continueLong(markBytes) {
    if (!this.#options.socket.writable) this.#dropLong();
    while (this.#long !== void 0 && this.#options.socket.writableLength < markBytes) {
      this.#writeFrameOf(this.#long);
      if (this.#long.remainingBytes === 0) this.#endLong();
    }
  }
  #writeFrameOf(long) {
    const length = Math.min(long.remainingBytes, this.#mostBytesOfLong);
    const isLast = length === long.remainingBytes;
    const isBinary = this.#isLongBinary;
    const header = this.#header(length, { isBinary, isFirst: !long.hasBegun, isLast });
    if (isBinary && !this.#options.masked) {
      this.#writeViews(header, long.views(length));
      return;
    }
    const slab = isBinary ? sendMemory.borrow(length + MAX_HEADER_BYTES) : acquireSlab();
    const release2 = isBinary ? () => sendMemory.release(slab) : () => releaseSlab(slab);
    const start = writeFrameHeader(slab, 0, header);
    long.fill(slab.subarray(start, start + length));
    this.#mask(slab, start, start + length);
    this.#write(slab.subarray(0, start + length), release2);
  }
  /** One frame of bytes that stay where they are. */
  #writeViews(header, views) {
    const head = Buffer11.allocUnsafe(MAX_HEADER_BYTES);
    const { socket } = this.#options;
    socket.cork();
    this.#write(head.subarray(0, writeFrameHeader(head, 0, header)));
    for (const view of views) this.#write(view);
    socket.uncork();
  }
  get #mostBytesOfLong() {
    return this.#isLongBinary ? MAX_BINARY_PAYLOAD_BYTES : MAX_PAYLOAD_BYTES;
  }
  #endLong() {
    const behind = this.#behindLong;
    this.#dropLong();
    for (const waiting of behind) this.#add(waiting);
    this.flush();
  }
  #dropLong() {
    this.#long = void 0;
    this.#behindLong = [];
    this.#behindLongBytes = 0;
  }
  #header(payloadBytes2, frame) {
    return { payloadBytes: payloadBytes2, masked: this.#options.masked, ...frame };
  }
  #mask(target, start, end) {
    if (!this.#options.masked) return;
    maskInPlace(target.subarray(0, end), start, target.subarray(start - 4, start));
  }
  #write(bytes, release2) {
    const { socket, taken, handedOver } = this.#options;
    const { length } = bytes;
    socket.write(bytes, (error2) => {
      if (!error2) release2?.();
      if (!error2) this.#continueLong(LONG_MESSAGE_MARK_BYTES);
      taken();
    });
    handedOver?.(length);
  }
};

// packages/rpc/src/ws/frames/quick-receive.ts
import { Buffer as Buffer12 } from "node:buffer";

// packages/rpc/src/ws/frames/gathered-frame.ts
var FIRST_BYTES = 1024 * 1024 + 4096;
var GROWTH = 16;
var GatheredFrame = class {
  length;
  #mask;
  #memory;
  #filled = 0;
  constructor(length, mask) {
    this.length = length;
    this.#mask = mask && Uint8Array.from(mask);
    this.#memory = frameMemory.borrow(Math.min(length, FIRST_BYTES));
  }
  get missing() {
    return this.length - this.#filled;
  }
  /** Changes the block, which must not be longer than what is missing. */
  add(block) {
    if (this.#mask !== void 0) maskInPlace(block, 0, rotated(this.#mask, this.#filled));
    const end = this.#filled + block.length;
    if (end > this.#memory.length) this.#grow(end);
    block.copy(this.#memory, this.#filled);
    this.#filled = end;
  }
  /** The whole payload, once nothing is missing. */
  get bytes() {
    return this.#memory.subarray(0, this.length);
  }
  #grow(needed) {
    const memory = frameMemory.borrow(Math.min(this.length, needed * GROWTH));
    this.#memory.copy(memory, 0, 0, this.#filled);
    this.#memory = memory;
  }
};
function rotated(mask, position) {
  return Uint8Array.from(mask, (_, index) => mask[index + position & 3] ?? 0);
}

// packages/rpc/src/ws/frames/quick-receive.ts
var LEAST_UNMASKED_BYTES = 256;
var LEAST_GATHERED_BYTES = 256 * 1024;
function receiveQuickly(webSocket, { leastGatheredBytes = LEAST_GATHERED_BYTES } = {}) {
  const reader = Reflect.get(webSocket, "_receiver");
  if (!isFrameReader(reader)) return false;
  const { getData } = reader;
  let frame;
  reader.getData = function(done) {
    const length = this._payloadLength;
    if (frame !== void 0 || length >= leastGatheredBytes && this._bufferedBytes < length) {
      frame ??= new GatheredFrame(length, maskOf(this));
      gather(this, frame);
      if (frame.missing > 0) {
        this._loop = false;
        return;
      }
      putBack(this, frame.bytes);
      frame = void 0;
    } else if (length >= LEAST_UNMASKED_BYTES && this._bufferedBytes >= length) {
      const mask = maskOf(this);
      const data = this.consume(length);
      if (mask !== void 0) maskInPlace(data, 0, mask);
      putBack(this, data);
    }
    getData.call(this, done);
  };
  return true;
}
function keepUnconsumed(webSocket, isLent) {
  const { _buffers: blocks } = Reflect.get(webSocket, "_receiver");
  for (const [index, block] of blocks.entries()) if (isLent(block)) blocks[index] = Buffer12.from(block);
}
function maskOf(reader) {
  return reader._masked ? reader._mask : void 0;
}
function gather(reader, frame) {
  for (let block = reader._buffers[0]; block !== void 0 && frame.missing > 0; block = reader._buffers[0]) {
    frame.add(reader.consume(Math.min(block.length, frame.missing)));
  }
}
function putBack(reader, data) {
  reader._buffers.unshift(data);
  reader._bufferedBytes += data.length;
  reader._masked = false;
}
function isFrameReader(value) {
  if (typeof value !== "object" || value === null) return false;
  const reader = value;
  return typeof reader.consume === "function" && typeof reader.getData === "function" && Array.isArray(reader._buffers) && typeof reader._bufferedBytes === "number" && typeof reader._payloadLength === "number" && typeof reader._masked === "boolean" && typeof reader._loop === "boolean" && "_mask" in reader;
}

// packages/rpc/src/ws/keepalive.ts
var DEFAULT_KEEPALIVE = Object.freeze({
  pingIntervalMs: 5e3,
  pongTimeoutMs: 8e3
});
var MOST_READING_TIMEOUTS = 6;
var BUSY_BYTES = 64 * 1024;
var Keepalive = class {
  #timer;
  #target;
  #options;
  #deadline;
  #patience = 1;
  #received = -1;
  #taken = 0;
  #wasBacklogged = false;
  /** Nothing before this moment is held against the remote end: it was heard, or we did not listen ourselves. */
  #heardAt = performance.now();
  /** The same for whether it hears us. */
  #hearsAt = performance.now();
  #receivedWhenOwed = 0;
  #lookedAt = performance.now();
  constructor(target, options2) {
    this.#target = target;
    this.#options = options2;
    this.#observe();
    if (options2.pingIntervalMs <= 0) return;
    this.#timer = setInterval(() => this.#tick(), options2.pingIntervalMs);
    this.#timer.unref();
  }
  /** For a remote end that cannot come back, so that the end of its connection ends everything: a longer time. */
  tolerate(factor) {
    this.#patience = factor;
  }
  stop() {
    clearInterval(this.#timer);
    clearTimeout(this.#deadline);
  }
  #tick() {
    const target = this.#target;
    const wasHeard = this.#observe();
    if (this.#judge()) return;
    if (!wasHeard || target.hasUnread) target.ask();
    const left = this.#leftMs();
    if (left >= this.#options.pingIntervalMs) return;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.#observe();
      this.#judge();
    }, left);
    this.#deadline.unref();
  }
  #judge() {
    if (this.#leftMs() > 0) return false;
    this.stop();
    this.#target.dead();
    return true;
  }
  #leftMs() {
    const { owesAnswerSince, expectedAnswerMs, receivedBytes } = this.#target;
    const { pongTimeoutMs } = this.#options;
    const readingMs = Math.min(expectedAnswerMs, MOST_READING_TIMEOUTS * pongTimeoutMs);
    const allowed = (pongTimeoutMs + readingMs) * this.#patience;
    const silentSince = this.#heardAt;
    const isBusy = receivedBytes - this.#receivedWhenOwed > BUSY_BYTES;
    const deafSince = owesAnswerSince === void 0 || isBusy ? Number.POSITIVE_INFINITY : Math.max(owesAnswerSince, this.#hearsAt);
    return Math.min(silentSince, deafSince) + allowed - performance.now();
  }
  #observe() {
    const { paused, receivedBytes, takenBytes, backlogBytes, owesAnswerSince } = this.#target;
    const now = performance.now();
    const wasStopped = now - this.#lookedAt > 2 * this.#options.pingIntervalMs;
    const isOurDoing = wasStopped || paused && backlogBytes === 0;
    const moved = this.#wasBacklogged && takenBytes !== this.#taken;
    const wasHeard = receivedBytes !== this.#received;
    if (wasHeard || moved || isOurDoing) this.#heardAt = now;
    if (moved || isOurDoing) this.#hearsAt = now;
    if (owesAnswerSince === void 0 || isOurDoing) this.#receivedWhenOwed = receivedBytes;
    this.#received = receivedBytes;
    this.#taken = takenBytes;
    this.#wasBacklogged = backlogBytes > 0;
    this.#lookedAt = now;
    return wasHeard;
  }
};

// packages/rpc/src/ws/prompt-client.ts
var PROMPT_MS = 0.15;
var eventLoop = {
  now: () => performance.now(),
  nextTurn: (turn) => void setImmediate(turn)
};
var AwakeLoop = class {
  #loop;
  /** The client that is waited for, and until when. */
  #awaited = /* @__PURE__ */ new Map();
  #isTurning = false;
  constructor(loop = eventLoop) {
    this.#loop = loop;
  }
  now() {
    return this.#loop.now();
  }
  await(client, until) {
    this.#awaited.set(client, until);
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#loop.nextTurn(this.#turn);
  }
  forget(client) {
    this.#awaited.delete(client);
  }
  #turn = () => {
    const now = this.#loop.now();
    for (const [client, until] of this.#awaited) if (now >= until) this.#awaited.delete(client);
    this.#isTurning = this.#awaited.size > 0;
    if (this.#isTurning) this.#loop.nextTurn(this.#turn);
  };
};
var sharedLoop = new AwakeLoop();
var PromptClient = class {
  #loop;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isPrompt = false;
  #hasAsked = false;
  constructor(loop = sharedLoop) {
    this.#loop = loop;
  }
  asked() {
    this.#isPrompt = this.#loop.now() - this.#answeredAt <= PROMPT_MS;
    this.#hasAsked = true;
    this.#loop.forget(this);
  }
  /** Something was sent. The first after a request counts as its answer. */
  sent() {
    if (!this.#hasAsked) return;
    this.#hasAsked = false;
    this.#answeredAt = this.#loop.now();
    if (this.#isPrompt) this.#loop.await(this, this.#answeredAt + PROMPT_MS);
  }
  gone() {
    this.#loop.forget(this);
  }
};

// packages/rpc/src/ws/web-socket-channel.ts
var MAX_BACKLOG_FOR_PONG = 64 * 1024;
var SILENCE_TOLERANCE = 6;
var WebSocketChannel = class {
  label;
  transport = "websocket";
  binary;
  #webSocket;
  #socket;
  #batch;
  #probes = new LifeProbes();
  /** Only a server waits for the other end's requests. */
  #promptClient;
  #window;
  #keepalive;
  #receiver;
  #isFlushScheduled = false;
  #isDrainScheduled = false;
  #isPaused = true;
  #acceptsBinary = false;
  #goodbye;
  #failure;
  #ended;
  constructor({ webSocket, socket, label, side, keepalive }) {
    this.label = label;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#batch = new FrameBatch({
      socket,
      masked: side === "client",
      handedOver: (bytes) => this.#window.sent(bytes),
      taken: () => this.#scheduleDrained()
    });
    this.binary = {
      accept: () => {
        this.#acceptsBinary = true;
      },
      send: () => this.#batch.useBinary()
    };
    socket.setNoDelay(true);
    this.#window = new DeliveryWindow({
      ping: (mark) => webSocket.ping(mark),
      opened: () => this.#scheduleDrained(),
      isBounded: side === "server"
    });
    if (side === "server") {
      this.#promptClient = new PromptClient();
      receiveQuickly(webSocket);
    } else if (receiveQuickly(webSocket, { leastGatheredBytes: 1 })) {
      readWithoutCopies(socket, () => keepUnconsumed(webSocket, isOfSharedRead));
    }
    this.#finishBeforeClose();
    webSocket.pause();
    webSocket.on("message", (data, isBinary) => {
      const bytes = data;
      if (isBinary && this.#acceptsBinary) {
        this.#receiveBinary(bytes);
        return;
      }
      this.#receive(bytes);
      frameMemory.release(bytes);
    });
    webSocket.on("ping", (data) => this.#answerPing(data));
    webSocket.on("pong", (mark) => {
      this.#probes.alive();
      this.#window.pong(mark);
    });
    webSocket.on("error", (error2) => {
      if (this.#goodbye === void 0) this.#failure ??= closeOfError(error2);
    });
    webSocket.on(
      "close",
      (code, reason) => this.#end(this.#failure ?? this.#goodbye ?? closeOfFrame(code, reason.toString()))
    );
    this.#keepalive = this.#watch({ ...DEFAULT_KEEPALIVE, ...keepalive });
  }
  get canSend() {
    return this.#goodbye === void 0 && this.#ended === void 0 && this.#socket.writable;
  }
  get bufferedBytes() {
    return this.queuedBytes + this.#window.excessBytes(this.#socket.writableLength);
  }
  get queuedBytes() {
    return this.#socket.writableLength + this.#batch.pendingBytes;
  }
  start(receiver) {
    this.#receiver = receiver;
    if (this.#ended !== void 0) {
      const info = this.#ended;
      queueMicrotask(() => receiver.closed(info));
    } else {
      this.resume();
    }
  }
  send(message) {
    if (!this.canSend) return;
    if (!this.#isFlushScheduled) {
      this.#isFlushScheduled = true;
      process.nextTick(() => this.#flush());
    }
    this.#batch.add(message);
  }
  get sentBytes() {
    return this.#window.sentBytes + this.#batch.pendingBytesAtMost;
  }
  get readBytes() {
    return this.#window.readBytes;
  }
  boundUnread(bytes) {
    this.#window.narrow(bytes);
  }
  releasePayload(bytes) {
    frameMemory.release(bytes);
  }
  tolerateSilence() {
    this.#keepalive.tolerate(SILENCE_TOLERANCE);
  }
  pause() {
    this.#isPaused = true;
    this.#webSocket.pause();
  }
  resume() {
    this.#isPaused = false;
    this.#webSocket.resume();
  }
  async probe(timeoutMs) {
    if (!this.canSend) return false;
    this.#webSocket.ping();
    return this.#probes.wait(timeoutMs);
  }
  close(code = CLOSE_NORMAL, reason = "") {
    if (this.#goodbye !== void 0 || this.#ended !== void 0) return;
    this.#goodbye = { code, reason, clean: true };
    if (code === CLOSE_NOT_READING) this.#batch.discard();
    this.#flush();
    this.#webSocket.resume();
    this.#webSocket.close(code, fitReason(reason));
  }
  /** Ends the connection at once, without a goodbye. */
  terminate(reason) {
    this.#failure ??= { code: CLOSE_BROKEN, reason, clean: false };
    this.#webSocket.terminate();
  }
  #receiveBinary(data) {
    if (!this.#heard()) return;
    const own = isOfSharedRead(data) ? Buffer13.from(data) : data;
    this.#receiver?.binaryMessage?.(own, () => frameMemory.release(own));
  }
  /** Whether messages are still taken. */
  #heard() {
    this.#probes.alive();
    this.#promptClient?.asked();
    return this.#goodbye === void 0;
  }
  #receive(data) {
    if (!this.#heard()) return;
    const isLong = data.length >= LEAST_PAYLOAD_BYTES;
    if (isLong && this.#receiver?.longMessage?.(data, payloadMemory) === true) return;
    const text3 = messageText(data);
    if (text3 !== void 0) {
      this.#receiver?.message(text3);
    } else {
      this.#failure = { code: CLOSE_NOT_UTF8, reason: "message is not valid UTF-8", clean: false };
      this.close(CLOSE_NOT_UTF8, this.#failure.reason);
    }
  }
  #answerPing(data) {
    this.#probes.alive();
    if (this.#socket.writableLength < MAX_BACKLOG_FOR_PONG && this.#goodbye === void 0)
      this.#webSocket.pong(Buffer13.from(data));
  }
  #flush() {
    if (!this.#isFlushScheduled) return;
    this.#isFlushScheduled = false;
    this.#batch.flush();
    this.#promptClient?.sent();
  }
  /** No data may follow a close frame, and `ws` answers one of the remote end by itself. */
  #finishBeforeClose() {
    const webSocket = this.#webSocket;
    const close = webSocket.close.bind(webSocket);
    webSocket.close = (code, reason) => {
      this.#batch.finish();
      if (typeof reason === "string" || reason === void 0 || isUtf82(reason)) {
        close(code, reason);
      } else {
        this.#failure ??= { code: CLOSE_NOT_UTF8, reason: "close reason is not valid UTF-8", clean: false };
        close(CLOSE_NOT_UTF8, this.#failure.reason);
      }
    };
  }
  // Always a fresh turn: a fast reader must not keep the sender inside one turn for ever.
  #scheduleDrained() {
    if (this.#isDrainScheduled) return;
    this.#isDrainScheduled = true;
    setImmediate(() => {
      this.#isDrainScheduled = false;
      if (this.#ended === void 0) this.#receiver?.drained();
    });
  }
  #watch(options2) {
    const socket = this.#socket;
    const window = this.#window;
    const isPaused = () => this.#isPaused;
    return new Keepalive(
      {
        ask: () => window.ask(),
        dead: () => this.terminate(`no sign of life for ${options2.pongTimeoutMs} ms`),
        get paused() {
          return isPaused();
        },
        get receivedBytes() {
          return socket.bytesRead;
        },
        get takenBytes() {
          return socket.bytesWritten - socket.writableLength;
        },
        get backlogBytes() {
          return socket.writableLength;
        },
        get hasUnread() {
          return window.readBytes !== void 0 && window.readBytes < window.sentBytes;
        },
        get owesAnswerSince() {
          return window.owesAnswerSince;
        },
        get expectedAnswerMs() {
          return window.expectedAnswerMs;
        }
      },
      options2
    );
  }
  #end(info) {
    if (this.#ended !== void 0) return;
    this.#ended = info;
    this.#keepalive.stop();
    this.#promptClient?.gone();
    this.#window.end();
    this.#probes.close();
    this.#receiver?.closed(info);
  }
};

// packages/rpc/src/ws/connect/refused-upgrade.ts
var MAX_BODY = 512;
async function refusedUpgrade(target, response) {
  const status = response.statusCode ?? 0;
  const said = printable(await readStart(response));
  const suffix = said === "" ? "" : `: ${said}`;
  const details = { status, body: said };
  const [code, sentence] = explain(status);
  return new ConnectError(code, `${target} ${sentence} (HTTP ${status})${suffix}`, { details });
}
function explain(status) {
  if (status === 401) return ["CONNECT_UNAUTHORIZED", "did not accept the credentials"];
  if (status === 403) return ["CONNECT_FORBIDDEN", "refused the connection"];
  if (status === 503) return ["CONNECT_REFUSED", "takes no more connections"];
  return ["CONNECT_NOT_A_WEBSOCKET", "is not an exec-server websocket"];
}
async function readStart(response) {
  let text3 = "";
  response.setEncoding("utf8");
  try {
    for await (const piece of response) {
      text3 += String(piece);
      if (text3.length >= MAX_BODY) break;
    }
  } catch {
  }
  return text3.slice(0, MAX_BODY).trim();
}
function printable(text3) {
  return text3.replace(/\p{Cc}+/gu, " ").trim();
}

// packages/rpc/src/ws/connect/connect-web-socket.ts
var DEFAULT_TIMEOUT_MS = 1e4;
var CLOSE_TIMEOUT_MS = 2e3;
var NO_SOCKET = "this runtime's websocket does not give its socket away; use a channel of your own";
async function connectWebSocket(url, options2 = {}) {
  const target = parseTarget(url);
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options2;
  if (signal?.aborted === true) throw aborted2(target.shown, signal);
  const webSocket = new import_websocket.default(target.url, clientOptions(options2, target.url));
  return new Promise((resolve, reject) => {
    let socket;
    const fail = (error2) => {
      release2();
      reject(error2);
      webSocket.terminate();
    };
    const timer = setTimeout(() => {
      const message = `${target.shown} did not answer within ${timeoutMs} ms`;
      fail(new ConnectError("CONNECT_TIMEOUT", message, { details: { timeoutMs } }));
    }, timeoutMs);
    const onAbort = () => {
      if (signal !== void 0) fail(aborted2(target.shown, signal));
    };
    const release2 = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    webSocket.on("error", (cause) => fail(connectFailure(target.shown, cause)));
    webSocket.once("unexpected-response", (_request, response) => {
      void refusedUpgrade(target.shown, response).then(fail);
    });
    webSocket.once("upgrade", (response) => {
      socket = response.socket;
    });
    webSocket.once("open", () => {
      if (typeof socket?.setNoDelay !== "function") {
        fail(new ConnectError("CONNECT_NO_SOCKET", NO_SOCKET));
        return;
      }
      release2();
      const { keepalive = {} } = options2;
      const label = `exec-server websocket ${target.shown}`;
      resolve(new WebSocketChannel({ webSocket, socket, label, side: "client", keepalive }));
    });
  });
}
var canShareReads = process.versions["bun"] === void 0 && process.versions["deno"] === void 0;
var connectSharing = ((options2) => connectWithSharedReads(options2));
function clientOptions({ headers, token, ca }, url) {
  const options2 = {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    skipUTF8Validation: true,
    autoPong: false,
    followRedirects: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...canShareReads && url.protocol === "ws:" ? { createConnection: connectSharing } : {},
    headers: { ...headers, ...token === void 0 ? {} : { Authorization: `Bearer ${token}` } },
    ...ca === void 0 ? {} : { ca }
  };
  return options2;
}
function parseTarget(url) {
  let parsed;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new ConnectError(
      "CONNECT_BAD_URL",
      "the exec-server address is not a URL; expected ws://HOST:PORT",
      { cause }
    );
  }
  if (parsed.protocol !== "ws:" && parsed.protocol !== "wss:") {
    const message = `the exec-server address has the scheme ${parsed.protocol}; expected ws: or wss:`;
    throw new ConnectError("CONNECT_BAD_URL", message);
  }
  parsed.hash = "";
  const path = parsed.pathname === "/" ? "" : parsed.pathname;
  return { url: parsed, shown: `${parsed.protocol}//${parsed.host}${path}` };
}
function aborted2(target, signal) {
  return new ConnectError("CONNECT_ABORTED", `connecting to ${target} was aborted`, { cause: signal.reason });
}
function connectFailure(target, cause) {
  const errno = String(Reflect.get(cause, "code") ?? "");
  if (errno === "ECONNREFUSED") {
    return new ConnectError("CONNECT_REFUSED", `nothing listens on ${target}`, { cause, details: { errno } });
  }
  if (errno.startsWith("HPE_") || errno.startsWith("WS_ERR_") || /Sec-WebSocket|Upgrade header/i.test(cause.message)) {
    const message = `${target} does not speak websocket: ${cause.message}`;
    return new ConnectError("CONNECT_NOT_A_WEBSOCKET", message, { cause, details: { errno } });
  }
  const why = cause.message === "" ? errno : cause.message;
  return new ConnectError("CONNECT_FAILED", `cannot connect to ${target}: ${why}`, {
    cause,
    details: { errno }
  });
}

// packages/client/src/node/command-channel.ts
import { spawn as spawn3 } from "node:child_process";

// packages/rpc/src/stdio/drop-stalled-output.ts
import { Socket } from "node:net";
var STALLED_MS = 2e3;
function dropStalledOutput(output2) {
  const drop = () => void output2.destroy();
  if (output2 instanceof Socket) {
    output2.setTimeout(STALLED_MS, drop);
    return;
  }
  const timer = setTimeout(drop, STALLED_MS);
  timer.unref();
  for (const event of ["finish", "close"]) output2.once(event, () => clearTimeout(timer));
}

// packages/rpc/src/stdio/line-batch.ts
import { Buffer as Buffer14 } from "node:buffer";
var LF = 10;
var LineBatch = class {
  #output;
  #taken;
  #isCorked = false;
  #isBinary = false;
  constructor(output2, taken) {
    this.#output = output2;
    this.#taken = taken;
  }
  /** Messages with payloads are sent in binary form from here on. */
  useBinary() {
    this.#isBinary = true;
  }
  add(message) {
    const outgoing = outgoingMessage(message, this.#isBinary);
    const bytes = Buffer14.allocUnsafe(outgoing.length + (outgoing.isBinary ? 0 : 1));
    const end = outgoing.write(bytes, 0);
    if (!outgoing.isBinary) bytes[end] = LF;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#output.cork();
      process.nextTick(() => this.flush());
    }
    this.#output.write(bytes, this.#taken);
  }
  flush() {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#output.uncork();
  }
};

// packages/rpc/src/stdio/message-splitter.ts
import { Buffer as Buffer16 } from "node:buffer";

// packages/rpc/src/stdio/line-splitter.ts
import { Buffer as Buffer15 } from "node:buffer";
var LF2 = 10;
var CR = 13;
var LineTooLongError = class extends CodedError {
};
var LineSplitter = class {
  #maxLineBytes;
  #onLine;
  #onTooLong;
  #pieces = [];
  #length = 0;
  #isDiscarding = false;
  /** A line that is too long is told as soon as that is known, and the rest of it is discarded. */
  constructor(maxLineBytes, onLine, onTooLong) {
    this.#maxLineBytes = maxLineBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }
  /** Nothing of a line has come that is not finished. */
  get isBetweenLines() {
    return this.#length === 0 && !this.#isDiscarding;
  }
  push(chunk) {
    for (let start = 0; start < chunk.length; ) start += this.pushLine(chunk.subarray(start));
  }
  /** Takes up to the end of one line, and returns how many bytes that were. */
  pushLine(chunk) {
    const end = chunk.indexOf(LF2);
    this.#keep(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) return chunk.length;
    this.#finishLine();
    return end + 1;
  }
  /** A last line without an ending still counts. */
  end() {
    if (this.#length > 0) this.#finishLine();
    this.#isDiscarding = false;
  }
  #keep(piece) {
    if (piece.length === 0 || this.#isDiscarding) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    const spare = piece.at(-1) === CR ? 1 : 0;
    if (this.#length - spare <= this.#maxLineBytes) return;
    this.#pieces = [];
    this.#length = 0;
    this.#isDiscarding = true;
    this.#onTooLong(new LineTooLongError("LINE_TOO_LONG", `line longer than ${this.#maxLineBytes} bytes`));
  }
  #finishLine() {
    if (this.#isDiscarding) {
      this.#isDiscarding = false;
      return;
    }
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first !== void 0 ? first : Buffer15.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    this.#onLine(whole.at(-1) === CR ? whole.subarray(0, -1) : whole);
  }
};

// packages/rpc/src/stdio/message-splitter.ts
var FIRST_BYTES2 = 1024 * 1024;
var MessageSplitter = class {
  #maxBytes;
  #found;
  #lines;
  #acceptsBinary = false;
  /** Of the binary message that is being received. */
  #message;
  #filled = 0;
  #wanted = 0;
  #skipped = 0;
  constructor(maxBytes, found) {
    this.#maxBytes = maxBytes;
    this.#found = found;
    this.#lines = new LineSplitter(
      maxBytes,
      (line) => found.line(line),
      (error2) => found.tooLong(error2.message)
    );
  }
  acceptBinary() {
    this.#acceptsBinary = true;
  }
  push(chunk) {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = this.#take(rest);
      rest = rest.subarray(taken);
    }
  }
  /** A last line without an ending still counts; a binary message that is not whole does not. */
  end() {
    this.#message = void 0;
    this.#lines.end();
  }
  /** Takes one line, or as much as there is of one message. */
  #take(chunk) {
    if (this.#skipped > 0) {
      const skipped = Math.min(this.#skipped, chunk.length);
      this.#skipped -= skipped;
      return skipped;
    }
    if (this.#message !== void 0) return this.#fill(this.#message, chunk);
    if (this.#acceptsBinary && this.#lines.isBetweenLines && chunk[0] === BINARY_KIND) {
      this.#message = Buffer16.allocUnsafe(BINARY_HEADER_BYTES);
      this.#filled = 0;
      this.#wanted = BINARY_HEADER_BYTES;
      return this.#fill(this.#message, chunk);
    }
    return this.#lines.pushLine(chunk);
  }
  #fill(message, chunk) {
    const taken = Math.min(chunk.length, this.#wanted - this.#filled, message.length - this.#filled);
    chunk.copy(message, this.#filled, 0, taken);
    this.#filled += taken;
    if (this.#filled === this.#wanted) this.#reached(message);
    else if (this.#filled === message.length) this.#grow(message);
    return taken;
  }
  #reached(message) {
    if (this.#wanted > BINARY_HEADER_BYTES) {
      this.#message = void 0;
      this.#found.binary(message);
      return;
    }
    const { textBytes, payloadBytes: payloadBytes2 } = readBinaryHeader(message);
    this.#wanted += textBytes + payloadBytes2;
    if (this.#wanted > this.#maxBytes) {
      this.#message = void 0;
      this.#skipped = this.#wanted - BINARY_HEADER_BYTES;
      this.#found.tooLong(`binary message longer than ${this.#maxBytes} bytes`);
    } else if (this.#wanted === BINARY_HEADER_BYTES) {
      this.#message = void 0;
      this.#found.binary(message);
    } else this.#grow(message);
  }
  #grow(message) {
    const length = Math.min(this.#wanted, Math.max(FIRST_BYTES2, message.length * 16));
    const grown = Buffer16.allocUnsafeSlow(length);
    message.copy(grown, 0, 0, this.#filled);
    this.#message = grown;
  }
};

// packages/rpc/src/stdio/stdio-channel.ts
var ANSWER_MS = 5e3;
function createStdioChannel(options2) {
  return new StdioChannel(options2);
}
var StdioChannel = class {
  label;
  transport = "stdio";
  #input;
  #output;
  binary = {
    accept: () => this.#messages.acceptBinary(),
    send: () => this.#batch.useBinary()
  };
  #messages;
  #batch;
  #onBadLine;
  #receiver;
  #hasEnded = false;
  #isAnswering = false;
  #isDrainScheduled = false;
  constructor({
    input,
    output: output2,
    label = "exec-server stdio",
    maxLineBytes = MAX_MESSAGE_BYTES,
    onBadLine = (reason) => this.#end({ reason, clean: false })
  }) {
    this.label = label;
    this.#input = input;
    this.#output = output2;
    this.#onBadLine = onBadLine;
    this.#messages = new MessageSplitter(maxLineBytes, {
      line: (line) => this.#receive(line),
      binary: (message) => {
        if (!this.#hasEnded) this.#receiver?.binaryMessage?.(message, () => {
        });
      },
      tooLong: (reason) => this.#reportBadLine(reason)
    });
    this.#batch = new LineBatch(output2, () => this.#scheduleDrained());
  }
  get bufferedBytes() {
    return this.#output.writableLength;
  }
  start(receiver) {
    this.#receiver = receiver;
    this.#input.on("data", (chunk) => {
      if (!this.#hasEnded) this.#messages.push(chunk);
    });
    this.#input.once("end", () => this.#finish());
    this.#input.once("close", () => this.#finish());
    this.#input.once(
      "error",
      (error2) => this.#end({ reason: `input failed: ${error2.message}`, clean: false })
    );
    this.#output.once(
      "error",
      (error2) => this.#end({ reason: `output failed: ${error2.message}`, clean: false })
    );
    this.#output.once("close", () => this.#end({ reason: "output closed", clean: false }));
    if (this.#input.readableEnded || this.#input.destroyed) queueMicrotask(() => this.#finish());
  }
  send(message) {
    if (!this.#hasEnded && this.#output.writable) this.#batch.add(message);
  }
  pause() {
    this.#input.pause();
  }
  resume() {
    if (!this.#hasEnded) this.#input.resume();
  }
  // Streams have no ping. A pipe whose other end is gone ends the input or fails the output, so open means alive.
  probe(_timeoutMs) {
    return Promise.resolve(!this.#hasEnded);
  }
  close(code, reason = "") {
    this.#end({ ...code === void 0 ? {} : { code }, reason, clean: true });
  }
  #receive(line) {
    if (this.#hasEnded) return;
    const text3 = messageText(line);
    if (text3 === void 0) this.#reportBadLine("line is not valid UTF-8");
    else if (text3.trim() !== "") this.#receiver?.message(text3);
  }
  #reportBadLine(reason) {
    if (!this.#hasEnded) this.#onBadLine(reason);
  }
  #finish() {
    if (this.#hasEnded || this.#isAnswering) return;
    this.#messages.end();
    const end = () => this.#end({ reason: "end of input", clean: true });
    const answered = this.#receiver?.inputEnded?.();
    if (answered === void 0) {
      end();
      return;
    }
    this.#isAnswering = true;
    const timer = setTimeout(end, ANSWER_MS);
    void answered.then(() => {
      clearTimeout(timer);
      end();
    });
  }
  #end(info) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#batch.flush();
    if (!this.#output.destroyed) {
      this.#output.end();
      dropStalledOutput(this.#output);
    }
    this.#input.on("error", () => {
    });
    this.#output.on("error", () => {
    });
    this.#input.destroy();
    queueMicrotask(() => this.#receiver?.closed(info));
  }
  #scheduleDrained() {
    if (this.#isDrainScheduled) return;
    this.#isDrainScheduled = true;
    setImmediate(() => {
      this.#isDrainScheduled = false;
      if (!this.#hasEnded) this.#receiver?.drained();
    });
  }
};

// packages/client/src/node/command-channel.ts
var EXIT_GRACE_MS = 2e3;
async function openCommand({ argv, cwd, env }) {
  const [program, ...args] = argv;
  const child = spawn3(program, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...cwd === void 0 ? {} : { cwd },
    env: { ...process.env, ...env }
  });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => {
      const message = `cannot start ${program}: ${cause.message}`;
      reject(
        new ExecServerError("transport.connect", message, {
          details: { target: program, attempts: 1 },
          cause
        })
      );
    });
  });
  child.on("error", () => void 0);
  child.stdin.once("close", () => {
    const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_GRACE_MS);
    timer.unref();
    child.once("exit", () => clearTimeout(timer));
  });
  return createStdioChannel({
    input: child.stdout,
    output: child.stdin,
    label: `exec-server stdio ${program}`
  });
}

// packages/client/src/node/fleet.ts
function openFleet(target) {
  let inner;
  const load = async () => {
    const { fleetOpener: fleetOpener2 } = await import("@codex/exec-fleet").catch(missing);
    return fleetOpener2(target);
  };
  return {
    label: `${target.broker.replace(/\/\/[^/]*@/, "//")} ${target.environment}`,
    reopenable: true,
    patienceMs: target.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    async open(signal, about) {
      inner ??= await load();
      return inner.open(signal, about);
    },
    lossOf: (error2, isUnknownSession2) => inner?.lossOf?.(error2, isUnknownSession2),
    close: () => inner?.close?.()
  };
}
var ACQUIRE_TIMEOUT_MS = 1e4;
function missing(cause) {
  const isMissing = Reflect.get(Object(cause), "code") === "ERR_MODULE_NOT_FOUND";
  if (!isMissing) throw cause;
  throw new ExecServerError(
    "unsupported",
    "a fleet needs the package @codex/exec-fleet, which is not installed",
    {
      details: { capability: "connect.fleet" },
      hint: "npm i @codex/exec-fleet",
      cause
    }
  );
}

// packages/client/src/node/local-files.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { createReadStream, createWriteStream, readFile as readFile2 } from "node:fs";
import { lstat as lstat2, mkdir as mkdir2, readdir, readlink as readlink2, rename as rename2, rm as rm3, stat } from "node:fs/promises";
import { dirname, join as join5 } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

// packages/client/src/node/node-tree-writer.ts
import { randomUUID } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm as rm2,
  symlink,
  unlink
} from "node:fs/promises";
import { join as join4, sep } from "node:path";
var FILES_AT_ONCE = 16;
var OWNER = 448;
var OWNER_WRITES = 128;
var PERMISSIONS = 511;
var NodeTreeWriter = class {
  #root;
  /** Of the names of partial files. Not made of the names of their targets, which may be as long as a name can be. */
  #partialId = randomUUID();
  #partialCount = 0;
  #directories = [];
  #links = [];
  /** Directories below the root that are known to be none but directories. */
  #known = /* @__PURE__ */ new Map();
  /** The file of which only the beginning has come; the next piece is its own. */
  #unfinished;
  constructor(root) {
    this.#root = root;
  }
  async write(items) {
    let files = [];
    for (const item of items) {
      const { entry } = item;
      if (entry.kind === "link") this.#links.push(entry);
      if (entry.kind === "directory") await this.#makeDirectory(entry);
      if (entry.kind !== "file") continue;
      files.push(item);
      if (files.length < FILES_AT_ONCE && !isPiece(item)) continue;
      await this.#writeFiles(isPiece(item) ? files.slice(0, -1) : files);
      if (isPiece(item)) await this.#writeFile(item);
      files = [];
    }
    await this.#writeFiles(files);
  }
  async finish() {
    if (this.#unfinished !== void 0) throw changedMeanwhile(this.#unfinished.path);
    for (const { path, target = "" } of this.#links) await this.#link(path, target);
    for (const entry of this.#directories.reverse()) {
      const directory = await open(join4(this.#root, entry.path), "r");
      await setAttributes(directory, entry).finally(() => directory.close());
    }
  }
  async abandon() {
    if (this.#unfinished !== void 0) await rm2(this.#unfinished.place, { force: true });
  }
  async #makeDirectory(entry) {
    const { path } = entry;
    const mode = (entry.mode ?? PERMISSIONS) & PERMISSIONS | OWNER;
    if (path === "") await mkdir(this.#root, { recursive: true, mode });
    else {
      const place2 = await this.#placeOf(path);
      const made = mkdir(place2, mode).catch((error2) => {
        if (!hasCode(error2, "EEXIST")) throw error2;
        return openToOwner(place2, path);
      });
      await this.#remember(path, made);
    }
    this.#directories.push(entry);
  }
  /** Resolves when all have ended, so that nothing is written behind a failure. */
  async #writeFiles(files) {
    const ends = await Promise.allSettled(files.map((file) => this.#writeFile(file)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }
  async #writeFile({ entry, bytes }) {
    const { path, offset = 0, size: size2 = 0, mode = 438 } = entry;
    const partial = offset === 0 ? await this.#begin(path) : this.#goOn(path);
    const isWhole = offset + bytes.length >= size2;
    if (!isWhole) this.#unfinished = partial;
    try {
      const file = await open(partial.place, offset === 0 ? "wx" : "r+", mode & PERMISSIONS);
      try {
        if (entry.mode !== void 0) await file.chmod(mode & PERMISSIONS | (isWhole ? 0 : OWNER_WRITES));
        await writeAll(file, bytes, offset);
        await setTime(file, entry);
      } finally {
        await file.close();
      }
      if (!isWhole) return;
      await rename(partial.place, join4(this.#root, path));
    } catch (error2) {
      await rm2(partial.place, { force: true });
      throw error2;
    }
    if (this.#unfinished?.place === partial.place) this.#unfinished = void 0;
  }
  async #begin(path) {
    if (this.#unfinished !== void 0) throw changedMeanwhile(this.#unfinished.path);
    await this.#placeOf(path);
    const name = `.${this.#partialId}.${++this.#partialCount}.part`;
    return { path, place: join4(this.#root, ...path.split("/").slice(0, -1), name) };
  }
  #goOn(path) {
    if (this.#unfinished?.path === path) return this.#unfinished;
    throw this.#unfinished === void 0 ? noBeginning(path) : changedMeanwhile(this.#unfinished.path);
  }
  async #link(path, target) {
    const place2 = await this.#placeOf(path);
    await symlink(target, place2).catch(async (error2) => {
      if (!hasCode(error2, "EEXIST")) throw error2;
      if (await readlink(place2).catch(() => void 0) === target) return;
      await unlink(place2);
      await symlink(target, place2);
    });
  }
  /** Where an entry goes, in a directory that is reached through no link. */
  async #placeOf(path) {
    const names = path.split("/");
    if (sep !== "/" && names.some((name) => name.includes(sep)))
      throw notWritable(path, "its name is none on this system");
    for (let depth = 1; depth < names.length; depth++) {
      const parent = names.slice(0, depth).join("/");
      await (this.#known.get(parent) ?? this.#remember(parent, mustBeDirectory(join4(this.#root, parent), parent)));
    }
    return join4(this.#root, path);
  }
  #remember(path, isDirectory) {
    const known = isDirectory.then(() => void 0);
    this.#known.set(path, known);
    return known;
  }
};
function isPiece({ entry: { offset = 0, size: size2 = 0 }, bytes }) {
  return offset > 0 || bytes.length < size2;
}
async function openToOwner(place2, path) {
  const { mode } = await mustBeDirectory(place2, path);
  if ((mode & OWNER) !== OWNER) await chmod(place2, mode & PERMISSIONS | OWNER);
}
async function mustBeDirectory(place2, path) {
  const found = await lstat(place2);
  if (found.isDirectory()) return found;
  throw notWritable(path, found.isSymbolicLink() ? "is a link, and not followed" : "is no directory");
}
function hasCode(error2, code) {
  return error2 instanceof Error && Reflect.get(error2, "code") === code;
}
function changedMeanwhile(path) {
  return new ExecServerError("fs.io", `${path}: went away on the server while it was read`, {
    details: { path }
  });
}
function noBeginning(path) {
  const message = `fs/readTree: the server sends a file without its beginning: ${JSON.stringify(path)}`;
  return new ExecServerError("protocol.violation", message, { details: { message } });
}
async function writeAll(file, bytes, position) {
  for (let taken = 0; taken < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, taken, bytes.length - taken, position + taken);
    taken += bytesWritten;
  }
}
async function setAttributes(file, entry) {
  await setMode(file, entry);
  await setTime(file, entry);
}
async function setMode(file, { mode }) {
  if (mode !== void 0) await file.chmod(mode & PERMISSIONS);
}
async function setTime(file, { modifiedAtMs }) {
  if (modifiedAtMs === void 0) return;
  const seconds = (modifiedAtMs + 5e-4) / 1e3;
  await file.utimes(seconds, seconds);
}
function notWritable(path, why) {
  return new ExecServerError("fs.io", `${path}: ${why}`, { details: { path } });
}

// packages/client/src/node/local-files.ts
var BLOCK_BYTES = 1024 * 1024;
var readWholeFile2 = promisify(readFile2);
var localFiles = {
  entries: async (root, options2) => {
    const entries = [];
    await collect({ root, entries, options: options2 }, []);
    return entries;
  },
  read: (root, path) => createReadStream(join5(root, path), { highWaterMark: BLOCK_BYTES }),
  readWhole: (root, path) => readWholeFile2(join5(root, path)),
  makeDirectory: async (root, path) => void await mkdir2(join5(root, path), { recursive: true }),
  write: async (root, path, data) => {
    const target = join5(root, path);
    const partial = join5(dirname(target), `.${randomUUID2()}.part`);
    try {
      await pipeline(Readable.from(data), createWriteStream(partial));
      await rename2(partial, target);
    } catch (error2) {
      await rm3(partial, { force: true });
      throw error2;
    }
  },
  treeWriter: (root) => new NodeTreeWriter(root)
};
async function collect(collection, names) {
  const { root, entries, options: options2 } = collection;
  const path = names.join("/");
  const place2 = join5(root, path);
  const keepsLink = options2.links === "keep" && names.length > 0;
  const found = keepsLink ? await lstat2(place2) : await statOrBroken(place2, path);
  if (found === void 0) return options2.onSkip?.({ path, why: "brokenLink" });
  if (options2.excludes?.(names, found.isDirectory()) === true) return;
  const attributes = { mode: found.mode & 511, modifiedAtMs: Math.floor(found.mtimeMs) };
  if (found.isFile()) entries.push({ path, kind: "file", size: found.size, ...attributes });
  else if (found.isSymbolicLink()) await collectLink(collection, path);
  else if (!found.isDirectory()) options2.onSkip?.({ path, why: "notAFile" });
  if (!found.isDirectory()) return;
  entries.push({ path, kind: "directory", size: 0, ...attributes });
  for (const name of (await readdir(place2)).sort()) await collect(collection, [...names, name]);
}
async function collectLink({ root, entries, options: options2 }, path) {
  const target = await readlink2(join5(root, path));
  if (staysInside(path, target)) entries.push({ path, kind: "link", size: 0, target });
  else options2.onSkip?.({ path, why: "linkLeadsOut" });
}
async function statOrBroken(place2, path) {
  try {
    return await stat(place2);
  } catch (error2) {
    const code = error2 instanceof Error ? Reflect.get(error2, "code") : void 0;
    if (path === "" || code !== "ENOENT" && code !== "ELOOP") throw error2;
    if ((await lstat2(place2)).isSymbolicLink()) return void 0;
    throw error2;
  }
}

// packages/client/src/node/platform.ts
var PING_SHARE = 0.8;
var platform = {
  openWebSocket: (url, { headers, token, signal, heartbeat }) => connectWebSocket(url, {
    headers,
    signal,
    ...token === void 0 ? {} : { token },
    keepalive: {
      pingIntervalMs: heartbeat?.askAfterMs ?? 0,
      pongTimeoutMs: (heartbeat?.deadAfterMs ?? 0) * PING_SHARE
    }
  }),
  openFleet,
  openCommand,
  localFiles
};

// packages/client/src/fs/tree/download-tree.ts
async function downloadTree(fs, download2) {
  let part = await ask(fs, download2, null);
  while (part !== void 0) {
    const next = part.next;
    const following = next === null ? void 0 : ask(fs, download2, next);
    following?.catch(() => void 0);
    await store(download2, part);
    part = await following;
    if (part !== void 0 && next !== null) mustAdvance(part, next);
  }
  await download2.writer.finish();
}
function ask(fs, { remote, options: options2 }, after) {
  const { exclude, signal } = options2;
  const params = {
    path: fs.uri(remote),
    after,
    ...exclude === void 0 ? {} : { exclude: [...exclude] },
    ...fs.sandboxOf(options2)
  };
  return fs.call("fs/readTree", params, { path: remote, repeatable: true, signal });
}
async function store(download2, part) {
  const bytes = payloadBytes(part.dataBase64);
  if (bytes === void 0) throw violation("the contents are no base64");
  for (const skipped of part.skipped) download2.onSkip(skipped);
  let taken = 0;
  const items = part.entries.map((entry) => {
    checkEntry(entry);
    const length = entry.kind === "file" ? entry.length ?? 0 : 0;
    taken += length;
    return { entry, bytes: bytes.subarray(taken - length, taken) };
  });
  if (taken !== bytes.length) throw violation(`${taken} bytes announced, ${bytes.length} sent`);
  await download2.writer.write(items);
  for (const { entry } of items) {
    if (entry.kind !== "file") continue;
    const { offset = 0, length = 0, path } = entry;
    if (offset === 0) download2.onFile(path);
    download2.onBytes(length);
  }
}
function checkEntry({ path, kind, target }) {
  const names = treeNames(path);
  if (names === void 0 || names.length === 0 && kind !== "directory")
    throw violation(`the server names an entry that is none: ${JSON.stringify(path)}`);
  if (kind === "link" && !staysInside(path, target ?? ""))
    throw violation(`the server sends a link that leads out: ${JSON.stringify(path)}`);
}
function mustAdvance({ next }, asked) {
  if (next === null) return;
  const order = comparePaths(next.path, asked.path);
  const isWithin = asked.offset > 0 && (next.offset === 0 || next.offset > asked.offset);
  if (order < 0 || order === 0 && !isWithin) throw violation("the server does not go on");
}
function comparePaths(left, right) {
  const others = right.split("/");
  for (const [index, name] of left.split("/").entries()) {
    const other = others[index];
    if (other === void 0) return 1;
    if (name !== other) return compareByCodePoint(name, other);
  }
  return left === right ? 0 : -1;
}
function compareByCodePoint(left, right) {
  const others = [...right];
  for (const [index, character] of [...left].entries()) {
    const other = others[index];
    if (other === void 0) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}
function violation(message) {
  return new ExecServerError("protocol.violation", `fs/readTree: ${message}`, { details: { message } });
}

// packages/client/src/fs/tree/transfer-options.ts
function excludesOf({ exclude = [] }) {
  const excludes = compileExcludes(exclude);
  if (excludes !== void 0) return excludes;
  throw invalidArgument(
    "exclude",
    `exclude takes at most ${MAX_EXCLUDE_PATTERNS} patterns of at most ${MAX_EXCLUDE_PATTERN_LENGTH} characters, ${MAX_EXCLUDE_LENGTH} in all`
  );
}

// packages/client/src/fs/tree/tree-sender.ts
var MESSAGES_AT_ONCE = 4;
var ENTRY_BYTES = 128;
var TreeSender = class {
  #fs;
  #job;
  #underWay = /* @__PURE__ */ new Set();
  #entries = [];
  #blocks = [];
  /** Of the whole message, roughly; and of its payload. */
  #bytes = 0;
  #payloadBytes = 0;
  #failure;
  constructor(fs, job) {
    this.#fs = fs;
    this.#job = job;
  }
  /** Resolves when there is room for more. `bytes` are those of a file, not more than a message takes. */
  async add(entry, bytes) {
    const isFull = this.#bytes + (bytes?.length ?? 0) > TREE_PAYLOAD_BYTES;
    if (isFull || this.#entries.length >= MAX_TREE_ENTRIES) await this.#flush();
    this.#entries.push(entry);
    this.#bytes += ENTRY_BYTES + entry.path.length;
    if (bytes === void 0) return;
    this.#blocks.push(bytes);
    this.#payloadBytes += bytes.length;
    this.#bytes += bytes.length;
  }
  /** Resolves when the server has everything. */
  async finish() {
    await this.#flush();
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }
  async #flush() {
    if (this.#entries.length === 0) return;
    while (this.#underWay.size >= MESSAGES_AT_ONCE && this.#failure === void 0)
      await Promise.race(this.#underWay);
    this.#throwFailure();
    const message = this.#send(this.#entries, concat(this.#blocks, this.#payloadBytes)).catch(
      (error2) => {
        this.#failure ??= { error: error2 };
      }
    );
    this.#underWay.add(message);
    void message.then(() => this.#underWay.delete(message));
    this.#entries = [];
    this.#blocks = [];
    this.#bytes = 0;
    this.#payloadBytes = 0;
  }
  async #send(entries, bytes) {
    const { remote, options: options2, onSent } = this.#job;
    const params = {
      path: this.#fs.uri(remote),
      entries: [...entries],
      dataBase64: bytes,
      ...this.#fs.sandboxOf(options2)
    };
    await this.#fs.call("fs/writeTree", params, {
      path: remote,
      repeatable: true,
      signal: options2.signal
    });
    for (const { kind, path, offset = 0, length = 0 } of entries)
      if (kind === "file") onSent({ path, bytes: length, isNew: offset === 0 });
  }
  #throwFailure() {
    if (this.#failure !== void 0) throw this.#failure.error;
  }
};

// packages/client/src/fs/tree/upload-tree.ts
var FILES_READ_AT_ONCE = 32;
var BLOCK_BYTES2 = 1024 * 1024;
var OWNER2 = 448;
async function uploadTree(fs, upload2) {
  const { entries, remote, options: options2 } = upload2;
  const sender = new TreeSender(fs, {
    remote,
    options: options2,
    onSent: ({ path, bytes, isNew }) => {
      if (isNew) upload2.onFile(path);
      upload2.onBytes(bytes);
    }
  });
  const directories = entries.filter(({ kind }) => kind === "directory");
  for (const entry of directories) await sender.add({ ...wireEntry(entry), ...ownerOnly(entry) });
  await sendFiles(upload2, sender);
  for (const entry of entries) if (entry.kind === "link") await sender.add(wireEntry(entry));
  for (const entry of directories.toReversed()) await sender.add({ ...wireEntry(entry), ...timeOf(entry) });
  await sender.finish();
}
async function sendFiles({ local, root, entries }, sender) {
  const files = entries.filter(({ kind }) => kind === "file");
  for (let start = 0; start < files.length; start += FILES_READ_AT_ONCE) {
    const run3 = files.slice(start, start + FILES_READ_AT_ONCE);
    const small = await Promise.all(
      run3.map(async ({ path, size: size2 }) => size2 <= BLOCK_BYTES2 ? local.readWhole(root, path) : void 0)
    );
    for (const [index, entry] of run3.entries()) {
      const bytes = small[index];
      if (bytes !== void 0 && bytes.length <= BLOCK_BYTES2) await sendPiece(sender, entry, { bytes });
      else await sendPieces(sender, entry, local.read(root, entry.path));
    }
  }
}
async function sendPieces(sender, entry, blocks) {
  let offset = 0;
  for await (const bytes of blocks) {
    await sendPiece(sender, entry, { bytes, offset });
    offset += bytes.length;
  }
}
async function sendPiece(sender, entry, { bytes, offset = 0 }) {
  const place2 = offset === 0 ? {} : { offset };
  const { length } = bytes;
  await sender.add({ ...wireEntry(entry), ...timeOf(entry), ...place2, length }, bytes);
}
function wireEntry({ path, kind, mode, target }) {
  return {
    path,
    kind,
    ...mode === void 0 || kind === "link" ? {} : { mode },
    ...target === void 0 ? {} : { target }
  };
}
function ownerOnly({ mode }) {
  return mode === void 0 ? {} : { mode: mode | OWNER2 };
}
function timeOf({ modifiedAtMs }) {
  return modifiedAtMs === void 0 ? {} : { modifiedAtMs };
}

// packages/client/src/fs/keep-modes.ts
var FILE_DEFAULT = 36;
var DIRECTORY_DEFAULT = 45;
var PATHS_AT_ONCE = 200;
var CHMOD_MS = 3e4;
function bitsToTake({ kind, mode }) {
  if (mode === void 0) return 0;
  return (kind === "file" ? FILE_DEFAULT : DIRECTORY_DEFAULT) & ~mode;
}
function removalOf(bits) {
  const classes = [
    ["g", bits >> 3],
    ["o", bits]
  ];
  return classes.filter(([, taken]) => (taken & 7) !== 0).map(([name, taken]) => `${name}-${(taken & 4) !== 0 ? "rw" : "w"}${(taken & 1) !== 0 ? "x" : ""}`).join(",");
}
async function closeModes(fs, byRemoval, options2) {
  for (const [removal, paths] of byRemoval) {
    for (let start = 0; start < paths.length; start += PATHS_AT_ONCE) {
      await chmod2(fs, [removal, "--", ...paths.slice(start, start + PATHS_AT_ONCE)], options2);
    }
  }
}
async function chmod2(fs, args, options2) {
  const { ok, stderr } = await fs.run(["chmod", ...args], {
    timeoutMs: CHMOD_MS,
    ...options2.sandbox === void 0 ? {} : { sandbox: options2.sandbox },
    ...options2.signal === void 0 ? {} : { signal: options2.signal }
  });
  if (ok) return;
  const [, , path = ""] = args;
  const why = stderr.text.trim();
  throw new ExecServerError("fs.io", `${path}: cannot be made as private as its source: ${why}`, {
    details: { path },
    hint: "Nothing of its contents was sent."
  });
}

// packages/client/src/fs/upload-targets.ts
function targetOf({ fs, remote }, { path }) {
  return fs.absolute(path === "" ? remote : joinPath(remote, path));
}
async function prepareUpload(job, entries) {
  const { fs, options: options2 } = job;
  const byRemoval = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const path = targetOf(job, entry);
    const bits = fs.hasModes ? bitsToTake(entry) : 0;
    if (entry.kind === "directory") {
      const params = { path: fs.uri(path), recursive: true, ...fs.sandboxOf(options2) };
      await fs.call("fs/createDirectory", params, { path, repeatable: true, signal: options2.signal });
    } else if (bits !== 0) {
      await writeFile2(fs, path, {
        data: "",
        options: { ...options2, parents: entry.path === "" },
        onBytes() {
        }
      });
    }
    const removal = removalOf(bits);
    if (removal !== "") byRemoval.set(removal, [...byRemoval.get(removal) ?? [], path]);
  }
  await closeModes(fs, byRemoval, options2);
}

// packages/client/src/fs/walk.ts
async function* walkTree(fs, path, options2) {
  const { maxEntries = Number.POSITIVE_INFINITY, onError } = options2;
  let listing = await askForTree(fs, path, options2);
  if (listing.truncated && listing.entries.length < maxEntries && options2.maxEntries !== void 0) {
    const { maxEntries: _, ...unlimited } = options2;
    listing = await askForTree(fs, path, unlimited);
  }
  const { entries, errors, truncated } = listing;
  for (const entry of entries.slice(0, maxEntries)) {
    const entryPath = fromFileUri(entry.path);
    yield { name: baseName(entryPath), path: entryPath, kind: entry.kind };
  }
  for (const error2 of errors) onError?.({ path: fromFileUri(error2.path), message: error2.message });
  const isCut = truncated && entries.length < maxEntries;
  if (isCut || errors.length > 0 && onError === void 0) throw incomplete(path, errors.length, truncated);
}
function askForTree(fs, path, options2) {
  const limits = {
    maxDepth: options2.maxDepth ?? MAX_WALK_DEPTH,
    maxEntries: Math.min(options2.maxEntries ?? MAX_WALK_ENTRIES, MAX_WALK_ENTRIES),
    maxDirectories: MAX_WALK_DIRECTORIES,
    followDirectorySymlinks: options2.followDirectoryLinks ?? false,
    pruneHiddenDirectories: options2.skipHidden ?? false
  };
  const params = { path: fs.uri(path), options: limits, ...fs.sandboxOf(options2) };
  return fs.call("fs/walk", params, { path, signal: options2.signal, repeatable: true });
}
function incomplete(path, unread, truncated) {
  const why = truncated ? "the server lists no more at once" : `${unread} entries could not be read`;
  return new ExecServerError("fs.incomplete", `${path} was not listed completely: ${why}`, {
    details: { path, unread },
    hint: truncated ? "Walk its subdirectories one by one." : "Pass onError to go on without them."
  });
}

// packages/client/src/fs/tree-transfer.ts
function upload(fs, paths, options2) {
  return transfer({ fs, local: requireLocalFiles("Uploading"), paths, options: options2 }, uploadEntries);
}
function download(fs, paths, options2) {
  return transfer({ fs, local: requireLocalFiles("Downloading"), paths, options: options2 }, downloadEntries);
}
function transfer(request, act) {
  const { fs, options: options2 } = request;
  return new Transfer({
    clock: fs.link.clock,
    ...options2.signal === void 0 ? {} : { signal: options2.signal },
    work: async (signal, report) => act({ ...request, report, options: { ...options2, signal } })
  });
}
var Count = class {
  files = 0;
  bytes = 0;
  skipped = [];
  #report;
  constructor(report) {
    this.#report = report;
  }
  onFile = (path) => {
    this.files++;
    this.#report.file(path);
  };
  onBytes = (bytes) => {
    this.bytes += bytes;
    this.#report.bytes(bytes);
  };
  onSkip = (skipped) => void this.skipped.push(skipped);
  get summary() {
    const { files, bytes, skipped } = this;
    return { files, bytes, skipped };
  }
};
async function uploadEntries(job) {
  const { fs, local, paths, options: options2 } = job;
  const count2 = new Count(job.report);
  const takesTrees = fs.capabilities.supports("fs.trees");
  const excludes = excludesOf(options2);
  const entries = await localStep(
    paths.local,
    () => local.entries(paths.local, {
      links: takesTrees ? "keep" : "follow",
      excludes: (names, isDirectory) => names.length > 0 && excludes(names, isDirectory),
      onSkip: count2.onSkip
    })
  );
  const files = entries.filter(({ kind }) => kind === "file");
  job.report.total({ bytes: files.reduce((sum, { size: size2 }) => sum + size2, 0), files: files.length });
  const isTree = takesTrees && entries[0]?.kind === "directory";
  if (isTree) {
    const { onFile, onBytes } = count2;
    const { local: root, remote } = paths;
    await localStep(root, () => uploadTree(fs, { local, root, remote, entries, options: options2, onFile, onBytes }));
  } else await uploadOneByOne(job, entries, count2);
  return count2.summary;
}
async function uploadOneByOne({ fs, local, paths, options: options2 }, entries, count2) {
  const job = { fs, remote: paths.remote, options: options2 };
  await prepareUpload(job, entries);
  for (const entry of entries) {
    if (entry.kind !== "file") continue;
    count2.onFile(entry.path);
    await writeFile2(fs, targetOf(job, entry), {
      data: local.read(paths.local, entry.path),
      options: { ...options2, parents: entry.path === "" },
      onBytes: count2.onBytes
    });
  }
}
async function downloadEntries(job) {
  const { fs, paths, options: options2 } = job;
  const count2 = new Count(job.report);
  const { isDirectory, size: size2 } = await fs.call(
    "fs/getMetadata",
    { path: fs.uri(paths.remote), ...fs.sandboxOf(options2) },
    { path: paths.remote, repeatable: true, signal: options2.signal }
  );
  if (!isDirectory) {
    job.report.total({ bytes: size2, files: 1 });
    await downloadFile(job, { remote: paths.remote, path: "" }, count2);
  } else if (fs.capabilities.supports("fs.trees")) await downloadWhole(job, count2);
  else await downloadOneByOne(job, count2);
  return count2.summary;
}
async function downloadWhole({ fs, local, paths, options: options2 }, count2) {
  excludesOf(options2);
  const writer = local.treeWriter(paths.local);
  const { onFile, onBytes, onSkip } = count2;
  try {
    await localStep(
      paths.local,
      () => downloadTree(fs, { remote: paths.remote, options: options2, writer, onFile, onBytes, onSkip })
    );
  } catch (error2) {
    await writer.abandon();
    throw error2;
  }
}
async function downloadOneByOne(job, count2) {
  const { fs, local, paths, options: options2 } = job;
  const root = fromFileUri(fs.uri(paths.remote));
  const excludes = excludesOf(options2);
  const left = [];
  await localStep(paths.local, () => local.makeDirectory(paths.local, ""));
  for await (const entry of walkTree(fs, paths.remote, options2)) {
    const path = entry.path.slice(root.length).replace(/^\//, "");
    const isDirectory = entry.kind === "directory";
    const isLeft = left.some((directory) => path.startsWith(`${directory}/`));
    if (isLeft || excludes(path.split("/"), isDirectory)) {
      if (isDirectory && !isLeft) left.push(path);
    } else if (isDirectory) await localStep(path, () => local.makeDirectory(paths.local, path));
    else await downloadFile(job, { remote: entry.path, path }, count2);
  }
}
async function downloadFile({ fs, local, paths, options: options2 }, { remote, path }, count2) {
  const counted = async function* () {
    for await (const block of readBlocks(fs, remote, options2)) {
      yield block;
      count2.onBytes(block.length);
    }
  };
  count2.onFile(path);
  await localStep(path === "" ? paths.local : path, () => local.write(paths.local, path, counted()));
}
function requireLocalFiles(what) {
  if (platform.localFiles === void 0) throw unsupported("fs.localFiles", what);
  return platform.localFiles;
}
async function localStep(path, work) {
  try {
    return await work();
  } catch (cause) {
    if (isExecServerError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExecServerError("fs.io", `local file ${path}: ${why}`, { details: { path }, cause });
  }
}

// packages/client/src/fs/watch.ts
var MAX_PENDING = 1e4;
var FsWatch = class {
  /** Resolves when the server watches: changes from here on are seen. */
  ready;
  #fs;
  #registry;
  #params;
  #path;
  #events = [];
  #wake = () => {
  };
  #isOver = false;
  #error;
  constructor(fs, registry, target) {
    const { path, options: options2 } = target;
    this.#fs = fs;
    this.#registry = registry;
    this.#path = fs.absolute(path);
    this.#params = {
      watchId: newHandleId(),
      path: fs.uri(path),
      recursive: options2.recursive ?? false,
      ...fs.sandboxOf(options2)
    };
    registry.add(this.#params.watchId, {
      changes: (notification) => this.#take(notification),
      reconnected: () => void this.#watchAgain(),
      ended: (error2) => this.#end(error2)
    });
    const { signal } = options2;
    signal?.addEventListener("abort", () => this.#end(abortedError("fs.watch", signal.reason)), {
      once: true
    });
    this.ready = this.#register();
    this.ready.catch((error2) => this.#end(error2));
  }
  [Symbol.asyncIterator]() {
    return this;
  }
  async next() {
    for (; ; ) {
      const event = this.#events.shift();
      if (event !== void 0) return { value: event, done: false };
      if (this.#error !== void 0) throw this.#error;
      if (this.#isOver) return { value: void 0, done: true };
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }
  async return() {
    await this[Symbol.asyncDispose]();
    return { value: void 0, done: true };
  }
  async [Symbol.asyncDispose]() {
    if (this.#isOver) return;
    this.#end(void 0);
    await this.#fs.link.call("fs/unwatch", { watchId: this.#params.watchId }).catch(() => void 0);
  }
  async #register() {
    await this.#fs.call("fs/watch", this.#params, { path: this.#path });
  }
  async #watchAgain() {
    try {
      await this.#register();
      this.#push({ type: "overflow", path: this.#path });
    } catch (error2) {
      this.#end(error2);
    }
  }
  #take({ changes, overflow }) {
    for (const { path, kind, previousPath } of changes) {
      const before = previousPath == null ? {} : { previousPath: fromFileUri(previousPath) };
      this.#push({ type: kind, path: fromFileUri(path), ...before });
    }
    if (overflow === true) this.#push({ type: "overflow", path: this.#path });
  }
  #push(event) {
    if (this.#isOver) return;
    if (this.#events.length >= MAX_PENDING) this.#events = [{ type: "overflow", path: this.#path }];
    else this.#events.push(event);
    this.#wake();
  }
  #end(error2) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error2;
    this.#registry.remove(this.#params.watchId);
    this.#wake();
  }
};

// packages/client/src/fs/remote-fs.ts
var RemoteFs = class {
  #fs;
  #watches;
  constructor({ watches, ...parts }) {
    this.#fs = new FsContext(parts);
    this.#watches = watches;
  }
  /** UTF-8; bytes that are not become U+FFFD. */
  async readText(path, options2 = {}) {
    checkFileOptions("readText", options2);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.readBytes(path, options2));
  }
  async readBytes(path, options2 = {}) {
    checkFileOptions("readBytes", options2);
    return readWholeFile(this.#fs, path, options2);
  }
  /** A lost connection fails the stream: what the file holds afterwards may not continue what was read. */
  readStream(path, options2 = {}) {
    checkFileOptions("readStream", options2);
    const blocks = readBlocks(this.#fs, path, options2);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { value, done } = await blocks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void await blocks.return()
      },
      { highWaterMark: 0 }
    );
  }
  /** Creates or replaces the file. */
  write(path, data, options2 = {}) {
    checkFileOptions("write", options2);
    const size2 = data instanceof Uint8Array ? { totalBytes: data.length } : {};
    return new Transfer({
      ...size2,
      clock: this.#fs.link.clock,
      ...options2.signal === void 0 ? {} : { signal: options2.signal },
      work: async (signal, { bytes: onBytes }) => writeFile2(this.#fs, path, { data, options: { ...options2, signal }, onBytes })
    });
  }
  /** What is directly in a directory, by name. Broken links are left out by servers. */
  async list(path, options2 = {}) {
    checkFileOptions("list", options2);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options2) };
    const { entries } = await this.#fs.call("fs/readDirectory", params, this.#looking(path, options2));
    const directory = this.#fs.absolute(path);
    return entries.map((entry) => ({
      name: entry.fileName,
      path: joinPath(directory, entry.fileName),
      kind: kindOf(entry)
    })).sort((left, right) => left.name < right.name ? -1 : 1);
  }
  /** Everything below a directory. Links to files are left out by servers. */
  walk(path, options2 = {}) {
    checkFileOptions("walk", options2);
    return walkTree(this.#fs, path, options2);
  }
  async stat(path, options2 = {}) {
    checkFileOptions("stat", options2);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options2) };
    const found = await this.#fs.call("fs/getMetadata", params, this.#looking(path, options2));
    return {
      name: baseName(path),
      path: this.#fs.absolute(path),
      kind: kindOf(found),
      isLink: found.isSymlink,
      size: found.size,
      modifiedAt: new Date(found.modifiedAtMs),
      ...found.createdAtMs === 0 ? {} : { createdAt: new Date(found.createdAtMs) }
    };
  }
  /** False only when there is nothing; a path that may not be looked at is an error. */
  async exists(path, options2 = {}) {
    checkFileOptions("exists", options2);
    try {
      await this.stat(path, options2);
      return true;
    } catch (error2) {
      if (ExecServerError.is(error2, "fs.notFound")) return false;
      throw error2;
    }
  }
  async realpath(path, options2 = {}) {
    checkFileOptions("realpath", options2);
    const params = { path: this.#fs.uri(path), ...this.#fs.sandboxOf(options2) };
    const found = await this.#fs.call("fs/canonicalize", params, this.#looking(path, options2));
    return fromFileUri(found.path);
  }
  /** Creates missing parents too, unless `recursive` is false. */
  async mkdir(path, options2 = {}) {
    checkFileOptions("mkdir", options2);
    const { recursive = true, signal } = options2;
    const params = { path: this.#fs.uri(path), recursive, ...this.#fs.sandboxOf(options2) };
    await this.#fs.call("fs/createDirectory", params, { path, signal, repeatable: recursive });
  }
  /** A directory needs `recursive`; a missing path is an error unless `force`. */
  async remove(path, options2 = {}) {
    checkFileOptions("remove", options2);
    const { recursive = false, force = false, signal } = options2;
    const params = { path: this.#fs.uri(path), recursive, force, ...this.#fs.sandboxOf(options2) };
    await this.#fs.call("fs/remove", params, { path, signal, repeatable: force });
  }
  async copy(from, to, options2 = {}) {
    checkFileOptions("copy", options2);
    const params = {
      sourcePath: this.#fs.uri(from),
      destinationPath: this.#fs.uri(to),
      recursive: options2.recursive ?? false,
      ...this.#fs.sandboxOf(options2)
    };
    await this.#fs.call("fs/copy", params, { path: from, signal: options2.signal });
  }
  /** In one step where the server has `fs.rename`; elsewhere a copy that then takes the original away. */
  async move(from, to, options2 = {}) {
    checkFileOptions("move", options2);
    const { overwrite = true, signal } = options2;
    if (!this.#fs.capabilities.supports("fs.rename")) {
      await this.#copyAndRemove(from, to, options2);
      return;
    }
    const params = {
      sourcePath: this.#fs.uri(from),
      destinationPath: this.#fs.uri(to),
      ...overwrite ? {} : { overwrite },
      ...this.#fs.sandboxOf(options2)
    };
    await this.#fs.call("fs/rename", params, { path: from, signal });
  }
  /** Changes from `ready` on. Needs `fs.watch`; one that a sandbox restricts needs `fs.sandboxedWatch`. */
  watch(path, options2 = {}) {
    checkFileOptions("watch", options2);
    this.#fs.capabilities.require("fs.watch", "Watching files");
    return new FsWatch(this.#fs, this.#watches, { path, options: options2 });
  }
  /**
   * A local file, or a directory with everything in it: `skipped` says what was left out, and what others may not read
   * here they may not read there. To a server that takes whole trees (`fs.trees`), links of a directory stay links, and
   * modes and times are kept; otherwise links are followed. Node only.
   */
  upload(local, remote, options2 = {}) {
    checkFileOptions("upload", options2);
    return upload(this.#fs, { local, remote }, options2);
  }
  /**
   * For uploads that write by themselves: makes the directories, and the files that others may not read here, empty and
   * closed to others, so that contents can follow.
   */
  async prepareUpload(entries, remote, options2 = {}) {
    checkFileOptions("prepareUpload", options2);
    await prepareUpload({ fs: this.#fs, remote, options: options2 }, entries);
  }
  /** A remote file, or a directory with everything in it, links, modes and times as for `upload`. Node only. */
  download(remote, local, options2 = {}) {
    checkFileOptions("download", options2);
    return download(this.#fs, { local, remote }, options2);
  }
  async #copyAndRemove(from, to, { overwrite, ...options2 }) {
    if (overwrite === false && await this.exists(to, options2)) {
      throw new ExecServerError("fs.exists", `${to}: already exists`, { details: { path: to } });
    }
    await this.copy(from, to, { ...options2, recursive: true });
    await this.remove(from, { ...options2, recursive: true });
  }
  #looking(path, { signal }) {
    return { path, signal, repeatable: true };
  }
};
function kindOf(entry) {
  if (entry.isFile) return "file";
  return entry.isDirectory ? "directory" : "other";
}

// packages/client/src/fs/watch-registry.ts
var WatchRegistry = class {
  #sinks = /* @__PURE__ */ new Map();
  add(watchId, sink) {
    this.#sinks.set(watchId, sink);
  }
  remove(watchId) {
    this.#sinks.delete(watchId);
  }
  take({ method, params }) {
    if (method !== "fs/changed") return;
    const notification = params;
    this.#sinks.get(notification.watchId)?.changes(notification);
  }
  reconnected() {
    for (const sink of this.#sinks.values()) sink.reconnected();
  }
  ended(error2) {
    for (const sink of this.#sinks.values()) sink.ended(error2);
    this.#sinks.clear();
  }
};

// packages/client/src/observe/approvals.ts
var Approvals = class {
  #link;
  #capabilities;
  constructor(link, capabilities) {
    this.#link = link;
    this.#capabilities = capabilities;
  }
  /** Resolves when somebody has decided, when nobody can, or when the time is over. A lost connection changes nothing. */
  async ask({ signal, id = crypto.randomUUID(), ...question }) {
    this.#capabilities.require("approvals", "Asking for approval");
    const withdraw = () => void this.withdraw(id).catch(() => void 0);
    const { argv, sentences, choices, ...texts2 } = question;
    const params = {
      ...texts2,
      id,
      ...argv === void 0 ? {} : { argv: [...argv] },
      ...sentences === void 0 ? {} : { sentences: [...sentences] },
      ...choices === void 0 ? {} : { choices: [...choices] }
    };
    const asked = this.#link.ask("approvals/ask", params, { repeatable: true, control: true });
    if (signal?.aborted === true) withdraw();
    signal?.addEventListener("abort", withdraw, { once: true });
    try {
      const { decision, decided, by, note } = await asked;
      return { decision, decided, ...by == null ? {} : { by }, ...note == null ? {} : { note } };
    } finally {
      signal?.removeEventListener("abort", withdraw);
    }
  }
  async withdraw(id) {
    await this.#link.ask("approvals/withdraw", { id }, { repeatable: true, control: true });
  }
};

// packages/client/src/options/spawn-option-rules.ts
var stdin = (value) => {
  if (value === "none" || value === "pipe") return void 0;
  if (typeof value === "string")
    return `is 'none', 'pipe' or { data }; did you mean { data: ${show(value)} }?`;
  if (typeof value !== "object" || value === null) return `is 'none', 'pipe' or { data }, not ${show(value)}`;
  if ("data" in value) return void 0;
  return "is 'none', 'pipe' or { data }; did you mean { data: \u2026 }?";
};
var size = nested({ of: "tty", values: TERMINAL_SIZE });
var inherited = oneOf(["all", "core", "none"]);
var policy = nested({
  of: "inheritEnv",
  values: {
    inherit: inherited,
    ignoreDefaultExcludes: flag,
    exclude: anything,
    includeOnly: anything,
    set: variables
  }
});
var SPAWN = {
  id: text2,
  cwd: text2,
  env: variables,
  inheritEnv: (value) => typeof value === "string" ? inherited(value) : policy(value),
  arg0: text2,
  stdin,
  tty: (value) => typeof value === "boolean" ? void 0 : size(value),
  sandbox,
  timeoutMs: duration,
  signal: abortSignal,
  ...KEEPING,
  metadata: anything
};
var RUN = {
  ...SPAWN,
  check: flag,
  onOutput: callback
};
var otherNames = {
  timeout: "timeoutMs",
  timeoutSeconds: "timeoutMs",
  input: "stdin: { data }",
  stdinData: "stdin: { data }",
  environment: "env",
  workdir: "cwd",
  workingDirectory: "cwd",
  dir: "cwd",
  pty: "tty",
  terminal: "tty",
  abortSignal: "signal",
  cancelSignal: "signal",
  maxBuffer: "capture: { maxBytes }",
  maxBytes: "capture: { maxBytes }",
  extendEnv: "inheritEnv",
  argv0: "arg0",
  reject: "check",
  nothrow: "check",
  shell: "a command as { shell: '\u2026' }",
  forceKillAfterDelay: "stop: { graceMs }",
  killTimeout: "stop: { graceMs }"
};
var SPAWN_RULES = { of: "spawn", values: SPAWN, otherNames };
var RUN_RULES = { of: "run", values: RUN, otherNames };
var ATTACH_RULES = { of: "attach", values: KEEPING, otherNames };
function checkSpawnOptions(options2) {
  checkOptions(options2, SPAWN_RULES);
}
function checkRunOptions(options2) {
  checkOptions(options2, RUN_RULES);
}
function checkAttachOptions(options2) {
  checkOptions(options2, ATTACH_RULES);
}

// packages/client/src/options/connect-option-rules.ts
var unlessFalse = (rule) => (value) => value === false ? void 0 : rule(value);
var CONNECT = {
  clientName: text2,
  signal: abortSignal,
  connectTimeoutMs: duration,
  reconnect: unlessFalse(
    nested({ of: "reconnect", values: { maxElapsedMs: duration, intervalMs: duration } })
  ),
  heartbeat: unlessFalse(nested({ of: "heartbeat", values: { timeoutMs: duration } })),
  headers: anything,
  token: text2,
  environment: text2,
  machine: text2,
  credentials: text2,
  caFile: text2,
  fleet: nested({
    of: "fleet",
    values: { acquireTimeoutMs: duration, lossGraceMs: duration, insecurePlaintext: flag }
  }),
  clock: anything,
  defaults: (value) => {
    if (typeof value !== "object" || value === null) return `is an object, not ${show(value)}`;
    checkSpawnOptions(value);
    return void 0;
  },
  resume: (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "sessionId") === "string" ? void 0 : `is { sessionId }, or what detach() gave, not ${show(value)}`,
  sessionTtlMs: duration,
  binaryPayloads: flag,
  onEvent: callback
};
var otherNames2 = {
  timeout: "connectTimeoutMs",
  timeoutMs: "connectTimeoutMs",
  name: "clientName",
  auth: "token",
  bearer: "token",
  retry: "reconnect",
  keepalive: "heartbeat",
  sessionId: "resume: { sessionId }",
  resumeSessionId: "resume: { sessionId }"
};
function checkConnectOptions(options2) {
  checkOptions(options2, { of: "connect", values: CONNECT, otherNames: otherNames2 });
}

// packages/client/src/options/process-option-rules.ts
var pattern = (value) => typeof value === "string" || value instanceof RegExp ? void 0 : `is a string or a RegExp, not ${show(value)}`;
var place = (value) => typeof value === "string" ? void 0 : `is 'start', 'now' or a cursor, not ${show(value)}`;
var SIGNAL = { signal: abortSignal };
var WAIT = { ...SIGNAL, timeoutMs: duration };
var READ = { ...SIGNAL, from: place, onGap: callback };
var LINES = { ...READ, maxLineLength: count };
var WINDOW = {
  ...SIGNAL,
  ms: duration,
  until: pattern,
  idleMs: duration,
  drainMs: duration,
  maxBytes: count,
  from: place,
  pause: anything
};
var waitNames = { timeout: "timeoutMs", ms: "timeoutMs", abortSignal: "signal" };
var windowNames = { timeoutMs: "ms", timeout: "ms", yieldMs: "ms", pattern: "until" };
var RULES2 = {
  wait: {
    values: { ...WAIT, until: oneOf(["exited", "closed"]) },
    otherNames: waitNames
  },
  waitFor: {
    values: {
      ...WAIT,
      stream: oneOf(["stdout", "stderr", "pty"]),
      from: place
    },
    otherNames: waitNames
  },
  waitForPort: {
    values: { ...WAIT, intervalMs: duration },
    otherNames: { ...waitNames, interval: "intervalMs" }
  },
  waitForQuiet: { values: WAIT, otherNames: waitNames },
  communicate: { values: WAIT, otherNames: waitNames },
  yieldWindow: { values: WINDOW, required: ["ms"], otherNames: windowNames },
  interact: { values: WINDOW, required: ["ms"], otherNames: windowNames },
  stop: { values: STOP, otherNames: stopNames },
  resize: {
    values: TERMINAL_SIZE,
    required: ["rows", "cols"],
    otherNames: { columns: "cols", width: "cols", height: "rows" }
  },
  events: { values: READ },
  text: { values: READ },
  bytes: { values: READ },
  lines: { values: LINES },
  ndjson: { values: { ...LINES, schema: anything } },
  "stdin.write": { values: SIGNAL },
  call: { values: SIGNAL }
};
function checkCallOptions(call, options2) {
  checkOptions(options2, { of: call, ...RULES2[call] });
}
function checkPattern(value) {
  const wrong = pattern(value);
  if (wrong !== void 0) throw invalidArgument("pattern", `waitFor: the pattern ${String(wrong)}`);
}
function checkDuration(call, ms) {
  const wrong = duration(ms);
  if (wrong !== void 0) throw invalidArgument("ms", `${call}: its first argument ${String(wrong)}`);
}
var HIGHEST_PORT = 65535;
function checkPort(port) {
  if (Number.isInteger(port) && Number(port) >= 1 && Number(port) <= HIGHEST_PORT) return;
  throw invalidArgument("port", `waitForPort: a port is a whole number from 1 to 65535, not ${show(port)}`);
}

// packages/client/src/process/events/process-event.ts
function cursorAt(seq) {
  return `seq:${seq}`;
}
function seqOfCursor(cursor) {
  const match = /^seq:(\d{1,15})$/.exec(cursor);
  return match === null ? void 0 : Number(match[1]);
}

// packages/client/src/process/events/process-registry.ts
var NOTIFICATIONS = /* @__PURE__ */ new Set([
  "process/output",
  "process/exited",
  "process/closed",
  "process/failed"
]);
var ProcessRegistry = class {
  #feeds = /* @__PURE__ */ new Map();
  add(feed) {
    this.#feeds.set(feed.processId, feed);
  }
  has(processId) {
    return this.#feeds.has(processId);
  }
  remove(feed) {
    if (this.#feeds.get(feed.processId) === feed) this.#feeds.delete(feed.processId);
  }
  take({ method, params }) {
    if (!isProcessNotification(method)) return;
    const id = typeof params === "object" && params !== null ? Reflect.get(params, "processId") : void 0;
    const feed = typeof id === "string" ? this.#feeds.get(id) : void 0;
    if (feed === void 0) return;
    feed.notification(method, params);
    if (feed.closed) this.remove(feed);
  }
  /** Processes that run and were not detached. */
  running() {
    return [...this.#feeds.values()].filter((feed) => feed.isRunning);
  }
  reconnecting() {
    for (const feed of this.#feeds.values()) feed.reconnecting();
  }
  reconnected() {
    for (const feed of this.#feeds.values()) feed.reconnected();
  }
  ended(error2) {
    for (const feed of this.#feeds.values()) feed.fail(error2);
    this.#feeds.clear();
  }
};
function isProcessNotification(method) {
  return NOTIFICATIONS.has(method);
}

// packages/client/src/run/shell-quote.ts
var PLAIN2 = /^[A-Za-z0-9_@%+=:,./-]+$/;
function shellQuote(word) {
  if (word === "") return "''";
  return PLAIN2.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
function shellJoin(argv) {
  return argv.map(shellQuote).join(" ");
}
function templateScript(strings, values) {
  return strings.reduce((script, literal, index) => {
    const value = values[index - 1];
    const words = value === void 0 ? "" : quoteValue(value);
    return script + words + literal;
  });
}
function quoteValue(value) {
  if (typeof value !== "object") return shellQuote(String(value));
  return value.map((item) => shellQuote(String(item))).join(" ");
}

// packages/client/src/process/process-entry.ts
function processEntry(summary) {
  const { argv, cwd, tty, state, exitCode, pid, startedAtMs } = summary;
  return {
    id: summary.processId,
    argv,
    command: shellJoin(argv),
    cwd: fromFileUri(cwd),
    tty,
    state,
    ...exitCode == null ? {} : { exitCode },
    ...pid == null ? {} : { pid },
    ...startedAtMs == null ? {} : { startedAt: new Date(startedAtMs) }
  };
}

// packages/client/src/process/control/stop-ladder.ts
var GRACE_MS = 2e3;
var CONFIRM_MS = 5e3;
async function stopProcess({ feed, clock, policy: policy2, cause, requests }) {
  const { interruptFirst = true, graceMs = GRACE_MS, confirmMs = CONFIRM_MS } = policy2;
  const runs = () => feed.isRunning;
  if (!runs()) return;
  feed.stopping(cause);
  if (interruptFirst && graceMs > 0) {
    void requests.interrupt().catch(() => void 0);
    await exitWithin(feed, clock, graceMs);
  }
  if (runs()) {
    void requests.terminate().catch(() => void 0);
    await exitWithin(feed, clock, confirmMs);
  }
  if (runs()) feed.abandon();
}
async function exitWithin(feed, clock, ms) {
  const ended = new AbortController();
  const check = () => {
    if (!feed.isRunning) ended.abort();
  };
  const stop = feed.onChange(check);
  check();
  await sleep(clock, ms, ended.signal);
  stop();
}

// packages/client/src/process/control/process-control.ts
var ProcessControl = class {
  #parts;
  #stopping;
  constructor(parts) {
    this.#parts = parts;
  }
  async signal(name) {
    const { link, feed, capabilities } = this.#parts;
    const isInterrupt = name === "interrupt" || name === "SIGINT";
    if (!isInterrupt) capabilities.require("signal.any", `Sending ${name}`);
    const params = { processId: feed.processId, signal: isInterrupt ? "interrupt" : name };
    await link.ask("process/signal", params, { control: true });
  }
  async terminate() {
    const { link, feed } = this.#parts;
    feed.stopping({ kind: "terminated" });
    const params = { processId: feed.processId };
    const { running } = await link.ask("process/terminate", params, { repeatable: true, control: true });
    return { wasRunning: running };
  }
  async resize(size2) {
    const { link, feed, capabilities } = this.#parts;
    capabilities.require("pty.resize", "Resizing a terminal");
    await link.ask("process/resize", { processId: feed.processId, ...size2 }, { repeatable: true });
  }
  /** The ladder behind timeouts, abort signals, stop and dispose. It runs once, and the first cause counts. */
  stopBecause(cause, policy2 = {}) {
    const { feed, stop } = this.#parts;
    this.#stopping ??= stopProcess({
      feed,
      clock: feed.clock,
      policy: { ...stop, ...policy2 },
      cause,
      requests: { interrupt: () => this.signal("interrupt"), terminate: () => this.terminate() }
    });
    return this.#stopping;
  }
};

// packages/client/src/process/control/process-stdin.ts
var KEYS = {
  "ctrl-c": "",
  "ctrl-d": "",
  "ctrl-z": "",
  "ctrl-\\": "",
  enter: "\r",
  tab: "	",
  esc: "\x1B",
  backspace: "\x7F",
  up: "\x1B[A",
  down: "\x1B[B",
  right: "\x1B[C",
  left: "\x1B[D"
};
var PIECE_BYTES = 256 * 1024;
var STARTING_RETRY_MS = 10;
var ProcessStdin = class {
  #parts;
  // Unique among all clients that ever hold this process, or the server would take a new write for a repeated one.
  #prefix = crypto.randomUUID().slice(0, 13);
  #next = 1;
  #hasEnded = false;
  #last = Promise.resolve();
  constructor(parts) {
    this.#parts = parts;
  }
  get open() {
    return this.#parts.mode !== "none" && !this.#hasEnded && this.#parts.feed.isRunning;
  }
  async write(data, options2 = {}) {
    checkCallOptions("stdin.write", options2);
    const { signal } = options2;
    return this.#enqueue(async () => {
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
      for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
        if (signal?.aborted === true) throw abortedError("stdin.write", signal.reason);
        await this.#writePiece(bytes.subarray(start, start + PIECE_BYTES));
      }
    });
  }
  async writeAll(input) {
    if (typeof input === "string" || input instanceof Uint8Array) await this.write(input);
    else for await (const chunk of input) await this.write(chunk);
  }
  end() {
    if (this.#parts.mode === "tty") return this.write(KEYS["ctrl-d"]);
    return this.#enqueue(async () => {
      if (this.#hasEnded || this.#parts.mode === "none") return;
      const { link, feed, capabilities } = this.#parts;
      capabilities.require("stdin.end", "Ending the input of a running process");
      this.#hasEnded = true;
      if (!feed.isRunning) return;
      await link.ask("process/closeStdin", { processId: feed.processId }, { repeatable: true });
    });
  }
  async keys(...names) {
    await this.write(names.map((name) => KEYS[name]).join(""));
  }
  // A failed write leaves the ones behind it to fail or work on their own.
  #enqueue(work) {
    const done = this.#last.then(work);
    this.#last = done.catch(() => void 0);
    return done;
  }
  async #writePiece(piece) {
    const { link, feed, mode } = this.#parts;
    if (mode === "none" || this.#hasEnded) throw this.#closedError();
    const params = {
      processId: feed.processId,
      chunk: piece,
      writeId: `${this.#prefix}-${this.#next++}`
    };
    for (; ; ) {
      const { status } = await this.#send(params);
      if (status === "accepted") return;
      if (status === "stdinClosed") throw this.#closedError();
      if (status === "unknownProcess") throw unknownProcess2(feed.processId);
      await sleep(link.clock, STARTING_RETRY_MS);
    }
  }
  async #send(params) {
    try {
      return await this.#parts.link.call("process/write", params, { repeatable: true });
    } catch (error2) {
      if (error2 instanceof RpcError) throw this.#closedError(error2);
      throw error2;
    }
  }
  #closedError(cause) {
    const { feed, mode } = this.#parts;
    const why = mode === "none" ? "it was started without one" : "it has ended";
    return new ExecServerError("process.stdinClosed", `process ${feed.processId} takes no input: ${why}`, {
      details: { processId: feed.processId },
      ...mode === "none" ? { hint: "Start it with stdin: 'pipe' or tty: true." } : {},
      ...cause === void 0 ? {} : { cause }
    });
  }
};
function unknownProcess2(processId) {
  return new ExecServerError("process.unknown", `the server does not know process ${processId}`, {
    details: { processId },
    hint: "It ended and was forgotten, or it belongs to another session."
  });
}

// packages/client/src/inspect.ts
var CUSTOM_INSPECT = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");

// packages/client/src/run/run-result.ts
var TAIL_CHARACTERS = 2e3;
var RunResult = class {
  ok;
  outcome;
  exitCode;
  stdout;
  stderr;
  output;
  command;
  cwd;
  durationMs;
  processId;
  pipesHeldOpen;
  constructor(fields) {
    this.outcome = fields.outcome;
    this.exitCode = fields.outcome.exitCode;
    this.ok = fields.outcome.kind === "exited" && fields.outcome.exitCode === 0;
    this.stdout = fields.stdout;
    this.stderr = fields.stderr;
    this.output = fields.output;
    this.command = fields.command;
    this.cwd = fields.cwd;
    this.durationMs = fields.durationMs;
    this.processId = fields.processId;
    this.pipesHeldOpen = fields.pipesHeldOpen;
  }
  json(schema) {
    const value = parseJson2(this.stdout);
    return schema === void 0 ? value : checkSchema(value, schema);
  }
  orThrow() {
    if (this.ok) return this;
    const said = (this.stderr.totalBytes > 0 ? this.stderr : this.output).text.trimEnd();
    const tail = said === "" ? "" : `
${said.slice(-TAIL_CHARACTERS)}`;
    throw new ExecServerError("process.failed", `${this.command}: ${describeOutcome(this.outcome)}${tail}`, {
      details: { result: this },
      admitted: startedOf(this.outcome)
    });
  }
  toJSON() {
    const { output: _, ...fields } = this;
    return { ...fields, stdout: this.stdout.toJSON(), stderr: this.stderr.toJSON() };
  }
  [CUSTOM_INSPECT](_depth, options2, inspect) {
    const { output: _, ...fields } = this;
    const shown2 = { ...fields, stdout: shownOutput(this.stdout), stderr: shownOutput(this.stderr) };
    return `Result ${inspect(shown2, options2)}`;
  }
};
function shownOutput(captured) {
  return captured.complete ? captured.text : captured;
}
function startedOf(outcome) {
  return "started" in outcome ? outcome.started ?? true : true;
}
function describeOutcome(outcome) {
  switch (outcome.kind) {
    case "exited":
      return outcome.signal === void 0 ? `exited with code ${outcome.exitCode}` : `ended by ${outcome.signal} (code ${outcome.exitCode})`;
    case "denied":
      return `the sandbox denied something it needs (exit code ${outcome.exitCode})`;
    case "timedOut":
      return outcome.started === false ? `not started within ${outcome.timeoutMs} ms` : `stopped after ${outcome.timeoutMs} ms`;
    case "aborted":
      return "stopped because the caller aborted";
    case "terminated":
      return "terminated";
    case "lost":
      return `lost: ${outcome.error.message}`;
  }
}
function parseJson2(captured) {
  const { text: text3 } = captured;
  if (!captured.complete) {
    throw new ExecServerError("output.invalid", "the output is not complete, so it is not parsed", {
      details: { format: "json", text: text3.slice(0, TAIL_CHARACTERS) },
      admitted: true,
      hint: "Raise capture.maxBytes."
    });
  }
  try {
    return JSON.parse(text3);
  } catch (cause) {
    throw new ExecServerError("output.invalid", `the output is not JSON: ${String(cause)}`, {
      details: { format: "json", text: text3.slice(0, TAIL_CHARACTERS) },
      admitted: true,
      cause
    });
  }
}
async function checkSchema(value, schema) {
  const verdict = await schema["~standard"].validate(value);
  if (verdict.issues === void 0) return verdict.value;
  throw new ExecServerError("output.invalid", "the output does not have the expected shape", {
    details: { format: "schema", text: JSON.stringify(verdict.issues).slice(0, TAIL_CHARACTERS) },
    admitted: true
  });
}

// packages/client/src/process/end/process-result.ts
function resultOf(feed, { command, cwd, startedAtMs }) {
  const { outcome } = feed;
  if (outcome === void 0) {
    const message = "the process still runs; use yieldWindow() to look at it";
    throw new ExecServerError("argument.invalid", message, { details: { argument: "peek" } });
  }
  return new RunResult({
    outcome,
    stdout: feed.stdout.snapshot(),
    stderr: feed.stderr.snapshot(),
    output: feed.output.snapshot(),
    command,
    cwd,
    durationMs: (feed.exit?.at ?? feed.clock.now()) - startedAtMs,
    processId: feed.processId,
    pipesHeldOpen: feed.pipesHeldOpen
  });
}

// packages/client/src/process/events/event-iteration.ts
async function* readEvents(feed, options2) {
  const { signal } = options2;
  const reader = feed.log.reader(startSeq(options2.from, feed));
  for (; ; ) {
    if (signal?.aborted === true) throw abortedError("reading output", signal.reason);
    const event = reader.next();
    if (event !== void 0) yield event;
    else if (feed.isSettled) return;
    else await nextChange(feed, signal);
  }
}
function nextChange(feed, signal) {
  return new Promise((resolve) => {
    const finish = () => {
      stop();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const stop = feed.onChange(finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}
function startSeq(from, feed) {
  if (from === void 0 || from === "start") return void 0;
  if (from === "now") return feed.log.lastSeq;
  const seq = seqOfCursor(from);
  if (seq === void 0) throw invalidArgument("from", `not a cursor of this client: ${from}`);
  return seq;
}

// packages/client/src/process/output/output-view.ts
var MAX_LINE_LENGTH = 1024 * 1024;
var ProcessOutputView = class {
  #feed;
  #takes;
  constructor(feed, takes) {
    this.#feed = feed;
    this.#takes = takes;
  }
  [Symbol.asyncIterator]() {
    return this.text();
  }
  text(options2 = {}) {
    checkCallOptions("text", options2);
    return this.#text(options2);
  }
  lines(options2 = {}) {
    checkCallOptions("lines", options2);
    return this.#lines(options2);
  }
  ndjson(options2 = {}) {
    checkCallOptions("ndjson", options2);
    return this.#values(options2);
  }
  bytes(options2 = {}) {
    checkCallOptions("bytes", options2);
    const chunks = this.#chunks(options2);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { value, done } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value.bytes);
        },
        cancel: async () => void await chunks.return()
      },
      { highWaterMark: 0 }
    );
  }
  async *#text(options2) {
    const seen = /* @__PURE__ */ new Set();
    for await (const { stream, text: text3 } of this.#chunks(options2)) {
      seen.add(stream);
      if (text3 !== "") yield text3;
    }
    for (const stream of seen) {
      const rest = this.#feed.unfinishedText(stream);
      if (rest !== "") yield rest;
    }
  }
  async *#lines(options2) {
    const { maxLineLength = MAX_LINE_LENGTH } = options2;
    let unfinished = "";
    for await (const text3 of this.#text(options2)) {
      const pieces = (unfinished + text3).split("\n");
      unfinished = pieces.pop() ?? "";
      for (const line of pieces) yield line.endsWith("\r") ? line.slice(0, -1) : line;
      for (; unfinished.length > maxLineLength; unfinished = unfinished.slice(maxLineLength)) {
        yield unfinished.slice(0, maxLineLength);
      }
    }
    if (unfinished !== "") yield unfinished;
  }
  async *#values(options2) {
    for await (const line of this.#lines(options2)) {
      if (line.trim() === "") continue;
      const value = parseLine(line);
      yield options2.schema === void 0 ? value : await checkSchema(value, options2.schema);
    }
  }
  async *#chunks(options2) {
    for await (const event of readEvents(this.#feed, options2)) {
      if (event.type === "output" && this.#takes(event.stream)) yield event;
      if (event.type === "gap") takeGap(event.gap, options2, this.#feed.processId);
      if (event.type === "lost") throw event.error;
    }
  }
};
function takeGap(gap, { onGap }, processId) {
  if (onGap !== void 0) {
    onGap(gap);
    return;
  }
  const size2 = gap.bytes === null ? "an unknown number of" : gap.bytes;
  const place2 = gap.why === "serverEvicted" ? "the server" : "this client";
  throw new ExecServerError(
    "process.outputGap",
    `${size2} bytes of output are gone: ${place2} keeps only the newest part`,
    {
      details: { processId, gap },
      hint: "Read sooner, raise bufferBytes, or pass onGap to go on behind the gap."
    }
  );
}
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ExecServerError("output.invalid", `a line is not JSON: ${String(cause)}`, {
      details: { format: "json", text: line.slice(0, 2e3) },
      admitted: true,
      cause
    });
  }
}

// packages/client/src/process/output/pattern.ts
function matchPattern(text3, pattern2) {
  if (typeof pattern2 === "string") {
    const index = text3.indexOf(pattern2);
    return index === -1 ? void 0 : Object.assign([pattern2], { index, input: text3 });
  }
  const flags = pattern2.flags.replace(/[gy]/g, "");
  return (flags === pattern2.flags ? pattern2 : new RegExp(pattern2.source, flags)).exec(text3) ?? void 0;
}

// packages/client/src/process/output/text-scanner.ts
var MAX_TEXT = 64 * 1024;
var TextScanner = class {
  #reader;
  #stream;
  #text = "";
  constructor(reader, stream) {
    this.#reader = reader;
    this.#stream = stream;
  }
  /** Reads what is there; undefined when the pattern is not in it yet. */
  find(pattern2) {
    let match = matchPattern(this.#text, pattern2);
    for (let event = match === void 0 ? this.#reader.next() : void 0; event !== void 0; ) {
      if (event.type === "output" && (this.#stream === void 0 || event.stream === this.#stream)) {
        this.#text = (this.#text + event.text).slice(-MAX_TEXT);
        match = matchPattern(this.#text, pattern2);
      }
      event = match === void 0 ? this.#reader.next() : void 0;
    }
    if (match === void 0) return void 0;
    this.#text = this.#text.slice((match.index ?? 0) + match[0].length);
    return { match, cursor: cursorAt(this.#reader.seq) };
  }
};

// packages/client/src/process/wait/wait-condition.ts
var TAIL_CHARACTERS2 = 2e3;
function waitUntil(spec) {
  const { feed, signal, timeoutMs } = spec;
  return new Promise((resolve, reject) => {
    const stops = [];
    const finish = (settle) => {
      for (const stop of stops.splice(0)) stop();
      settle();
    };
    const check = () => {
      const value = spec.poll();
      if (value !== void 0) finish(() => resolve(value));
      else if (feed.isSettled && spec.endsWithProcess !== false) finish(() => reject(endedBefore(spec)));
    };
    stops.push(feed.onChange(check));
    if (timeoutMs !== void 0) {
      const timer = feed.clock.schedule(timeoutMs, () => finish(() => reject(timedOut(spec, timeoutMs))));
      stops.push(() => timer.cancel());
    }
    if (signal !== void 0) {
      const onAbort = () => finish(() => reject(abortedError(spec.condition, signal.reason)));
      signal.addEventListener("abort", onAbort, { once: true });
      stops.push(() => signal.removeEventListener("abort", onAbort));
      if (signal.aborted) {
        onAbort();
        return;
      }
    }
    check();
  });
}
function timedOut({ feed, condition }, timeoutMs) {
  const details = { processId: feed.processId, condition, tail: tailOf(feed) };
  return new ExecServerError("process.waitTimeout", `${condition} was not reached within ${timeoutMs} ms`, {
    details,
    retryable: true,
    admitted: true,
    hint: "The process still runs; wait again or stop it."
  });
}
function endedBefore({ feed, condition }) {
  if (feed.lost !== void 0) return feed.lost;
  const tail = tailOf(feed);
  const code = feed.exit === void 0 ? "" : ` with code ${feed.exit.exitCode}`;
  return new ExecServerError(
    "process.endedBefore",
    `the process ended${code} before ${condition} was reached${tail === "" ? "" : `
${tail}`}`,
    { details: { processId: feed.processId, condition, tail }, admitted: true }
  );
}
function tailOf(feed) {
  return feed.output.snapshot().text.slice(-TAIL_CHARACTERS2);
}

// packages/client/src/process/wait/process-waits.ts
var ProcessWaits = class {
  #feed;
  #scanners = /* @__PURE__ */ new Map();
  constructor(feed) {
    this.#feed = feed;
  }
  outcome(options2) {
    const feed = this.#feed;
    const poll = () => this.#isReached(options2.until) ? feed.outcome : void 0;
    const condition = "the end of the process";
    return waitUntil({ ...options2, feed, condition, poll, endsWithProcess: false });
  }
  text(pattern2, options2) {
    const scanner = this.#scanner(options2);
    const condition = `the output ${String(pattern2)}`;
    return waitUntil({ ...options2, feed: this.#feed, condition, poll: () => scanner.find(pattern2) });
  }
  #isReached(until) {
    const feed = this.#feed;
    if (feed.lost !== void 0) return true;
    if (until === "exited") return !feed.isRunning;
    if (until === "closed") return feed.closed || feed.isSettled && feed.exit === void 0;
    return feed.isSettled;
  }
  // Without a place of its own a wait goes on behind the last match in the same stream.
  #scanner({ stream, from }) {
    const known = from === void 0 ? this.#scanners.get(stream) : void 0;
    const scanner = known ?? new TextScanner(this.#feed.log.reader(startSeq(from, this.#feed)), stream);
    this.#scanners.set(stream, scanner);
    return scanner;
  }
};

// packages/client/src/process/wait/wait-for-port.ts
var TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
var LISTEN = "0A";
var INTERVAL_MS = 50;
async function waitForPort(wait) {
  const { feed, port, intervalMs = INTERVAL_MS } = wait;
  let listening = false;
  let failure;
  let over = false;
  let wake = () => {
  };
  const look = async () => {
    while (!over && !listening && failure === void 0) {
      try {
        listening = await isListening(wait);
      } catch (error2) {
        failure = error2;
      }
      if (!listening && failure === void 0) {
        await new Promise((resolve) => {
          const timer = feed.clock.schedule(intervalMs, resolve);
          wake = () => {
            timer.cancel();
            resolve();
          };
        });
      }
    }
    feed.poke();
  };
  const looking = look();
  try {
    await waitUntil({
      ...wait,
      condition: `a listener on port ${port}`,
      poll: () => listening || failure !== void 0 ? true : void 0
    });
  } finally {
    over = true;
    wake();
  }
  await looking;
  if (failure !== void 0) throw portFailure(port, failure);
}
async function isListening({ port, readFile: readFile3 }) {
  const tables = await Promise.all(
    TABLES.map(
      (path) => readFile3(path).catch((error2) => {
        if (ExecServerError.is(error2, "fs.notFound") && path !== TABLES[0]) return new Uint8Array(0);
        throw error2;
      })
    )
  );
  return tables.some((table) => listsPort(new TextDecoder().decode(table), port));
}
function listsPort(table, port) {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return table.split("\n").some((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === LISTEN && local?.endsWith(`:${wanted}`) === true;
  });
}
function portFailure(port, cause) {
  if (isExecServerError(cause) && cause.code !== "fs.notFound") return cause;
  const message = `cannot see whether port ${port} is open: the server's machine has no /proc/net/tcp`;
  return new ExecServerError("fs.io", message, { details: { path: "/proc/net/tcp" }, cause });
}

// packages/client/src/captured.ts
var OutputCapture = class {
  #buffer;
  #gaps = [];
  constructor(maxBytes) {
    this.#buffer = new HeadTailBuffer(maxBytes);
  }
  get totalBytes() {
    return this.#buffer.totalBytes;
  }
  push(chunk) {
    this.#buffer.push(chunk);
  }
  gap(gap) {
    this.#gaps.push(gap);
    this.#buffer.omit(gap.bytes ?? 0);
  }
  /** Takes what came since the last snapshot out of the capture. */
  drain() {
    return capturedFrom(this.#buffer.take(), this.#gaps.splice(0));
  }
  snapshot() {
    return capturedFrom(this.#buffer.clone(), [...this.#gaps]);
  }
};
function capturedFrom(buffer, gaps) {
  return new CapturedOutput(buffer, gaps);
}
var CapturedOutput = class {
  #buffer;
  gaps;
  totalBytes;
  omittedBytes;
  complete;
  #bytes;
  #text;
  constructor(buffer, gaps) {
    this.#buffer = buffer;
    this.gaps = gaps;
    this.totalBytes = buffer.totalBytes;
    this.omittedBytes = buffer.omittedBytes;
    this.complete = buffer.omittedBytes === 0 && gaps.length === 0;
  }
  get bytes() {
    this.#bytes ??= this.#buffer.bytes();
    return this.#bytes;
  }
  get text() {
    this.#text ??= this.#decode();
    return this.#text;
  }
  get lines() {
    const { text: text3 } = this;
    if (text3 === "") return [];
    const lines = text3.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }
  toJSON() {
    const { text: text3, totalBytes, omittedBytes, gaps, complete } = this;
    return { text: text3, totalBytes, omittedBytes, gaps, complete };
  }
  [CUSTOM_INSPECT](_depth, options2, inspect) {
    const { text: text3, totalBytes, omittedBytes, gaps, complete } = this;
    return `Captured ${inspect(complete ? { text: text3, totalBytes } : { text: text3, totalBytes, omittedBytes, gaps }, options2)}`;
  }
  #decode() {
    if (this.omittedBytes === 0) return decode(this.bytes, {});
    const { head, tail } = this.#buffer.parts();
    const before = decode(head, { cutEnd: true });
    const after = decode(tail.subarray(leadingContinuations(tail)), {});
    return `${before}
... ${this.omittedBytes} bytes omitted ...
${after}`;
  }
};
function decode(bytes, { cutEnd = false }) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: cutEnd });
}
function leadingContinuations(bytes) {
  let count2 = 0;
  while (count2 < 3 && count2 < bytes.length && ((bytes[count2] ?? 0) & 192) === 128) count2++;
  return count2;
}

// packages/client/src/process/window/yield-window.ts
var DRAIN_MS = 50;
var MAX_BYTES = 1024 * 1024;
var PATTERN_REACH = 64 * 1024;
function collectWindow(feed, reader, window) {
  return new Promise((resolve) => new WindowRun(feed, reader, { window, resolve }).begin());
}
var WindowRun = class {
  #feed;
  #reader;
  #window;
  #resolve;
  #capture;
  #startedAt;
  #stops = [];
  #pausedMs = 0;
  #pausedSince;
  #lastOutputAt;
  #drainUntil;
  #text = "";
  #match;
  #timer;
  #isOver = false;
  constructor(feed, reader, run3) {
    this.#feed = feed;
    this.#reader = reader;
    this.#window = run3.window;
    this.#resolve = run3.resolve;
    this.#capture = new OutputCapture(run3.window.maxBytes ?? MAX_BYTES);
    this.#startedAt = feed.clock.now();
    this.#lastOutputAt = this.#startedAt;
  }
  begin() {
    const { pause, signal } = this.#window;
    const step2 = () => this.#step();
    this.#stops.push(this.#feed.onChange(step2));
    if (pause !== void 0) {
      if (pause.paused) this.#pausedSince = this.#startedAt;
      this.#stops.push(pause.onChange(() => this.#pauseChanged(pause.paused)));
    }
    if (signal !== void 0) {
      signal.addEventListener("abort", step2, { once: true });
      this.#stops.push(() => signal.removeEventListener("abort", step2));
    }
    this.#step();
  }
  // Both deadlines move by the time that was spent paused.
  #pauseChanged(paused) {
    const now = this.#feed.clock.now();
    if (paused) this.#pausedSince ??= now;
    else if (this.#pausedSince !== void 0) {
      const spent = now - this.#pausedSince;
      this.#pausedMs += spent;
      this.#lastOutputAt += spent;
      if (this.#drainUntil !== void 0) this.#drainUntil += spent;
      this.#pausedSince = void 0;
    }
    this.#step();
  }
  #step() {
    if (this.#isOver) return;
    this.#timer?.cancel();
    this.#timer = void 0;
    this.#collect();
    const endedBy = this.#ending();
    if (endedBy !== void 0) this.#finish(endedBy);
    else this.#scheduleNext();
  }
  #collect() {
    for (let event = this.#reader.next(); event !== void 0; event = this.#reader.next()) {
      if (event.type === "gap") this.#capture.gap(event.gap);
      if (event.type === "output") this.#take(event);
      if (this.#match !== void 0) return;
    }
  }
  #take(event) {
    const { until } = this.#window;
    this.#capture.push(event.bytes);
    this.#lastOutputAt = this.#pausedSince ?? this.#feed.clock.now();
    if (until === void 0) return;
    this.#text = this.#text.slice(-PATTERN_REACH) + event.text;
    this.#match = matchPattern(this.#text, until);
  }
  #ending() {
    if (this.#match !== void 0) return "until";
    if (this.#window.signal?.aborted === true) return "abort";
    if (this.#feed.closed || this.#feed.lost !== void 0) return "exit";
    if (this.#pausedSince !== void 0) return void 0;
    const now = this.#feed.clock.now();
    if (!this.#feed.isRunning) {
      const remaining = Math.max(0, this.#deadline() - now);
      this.#drainUntil ??= now + Math.min(remaining, this.#window.drainMs ?? DRAIN_MS);
      return now >= this.#drainUntil ? "exit" : void 0;
    }
    if (now >= this.#deadline()) return "deadline";
    return now >= this.#idleAt() ? "idle" : void 0;
  }
  #scheduleNext() {
    if (this.#pausedSince !== void 0) return;
    const due = this.#drainUntil ?? Math.min(this.#deadline(), this.#idleAt());
    this.#timer = this.#feed.clock.schedule(Math.max(0, due - this.#feed.clock.now()), () => this.#step());
  }
  #deadline() {
    return this.#startedAt + this.#window.ms + this.#pausedMs;
  }
  #idleAt() {
    const { idleMs } = this.#window;
    return idleMs === void 0 ? Number.POSITIVE_INFINITY : this.#lastOutputAt + idleMs;
  }
  #finish(endedBy) {
    this.#isOver = true;
    for (const stop of this.#stops) stop();
    const now = this.#feed.clock.now();
    if (this.#pausedSince !== void 0) this.#pausedMs += now - this.#pausedSince;
    const base = {
      output: this.#capture.snapshot(),
      wallMs: now - this.#startedAt,
      pausedMs: this.#pausedMs,
      cursor: cursorAt(this.#reader.seq),
      ...this.#match === void 0 ? {} : { match: this.#match }
    };
    this.#resolve(this.#result(base, endedBy));
  }
  #result(base, endedBy) {
    const { outcome } = this.#feed;
    if (outcome === void 0) {
      return { ...base, state: "running", endedBy: endedBy === "exit" ? "deadline" : endedBy };
    }
    const why = endedBy === "deadline" || endedBy === "idle" ? "exit" : endedBy;
    return { ...base, state: "finished", endedBy: why, outcome, pipesHeldOpen: !this.#feed.closed };
  }
};

// packages/client/src/process/window/process-windows.ts
var ProcessWindows = class {
  #feed;
  #place;
  #lastTurn = Promise.resolve();
  constructor(feed) {
    this.#feed = feed;
    this.#place = feed.log.reader();
  }
  async collect(window) {
    checkCallOptions("yieldWindow", window);
    const { from } = window;
    const reader = from === void 0 ? this.#place.clone() : this.#feed.log.reader(startSeq(from, this.#feed));
    const result = await collectWindow(this.#feed, reader, window);
    if (from === void 0 && reader.seq >= this.#place.seq) this.#place = reader;
    return result;
  }
  /** Runs `write` and collects, behind all earlier turns. */
  takeTurn(write, window) {
    const turn = this.#lastTurn.then(async () => {
      await write();
      return this.collect(window);
    });
    this.#lastTurn = turn.catch(() => void 0);
    return turn;
  }
  async waitForQuiet(ms, { timeoutMs, signal }) {
    const { processId, log } = this.#feed;
    const result = await this.collect({
      ms: timeoutMs ?? Number.POSITIVE_INFINITY,
      idleMs: ms,
      from: cursorAt(log.lastSeq),
      ...signal === void 0 ? {} : { signal }
    });
    if (result.endedBy !== "deadline") return;
    const condition = `${ms} ms without output`;
    throw new ExecServerError("process.waitTimeout", `${condition} were not reached in time`, {
      details: { processId, condition, tail: result.output.text }
    });
  }
};

// packages/client/src/process/remote-process.ts
var RemoteProcess = class {
  id;
  command;
  cwd;
  tty;
  startedAt = /* @__PURE__ */ new Date();
  stdin;
  stdout;
  stderr;
  /** Both streams, or the terminal, in the order of arrival. */
  output;
  #parts;
  #stdin;
  #control;
  #waits;
  #windows;
  #isDetached = false;
  constructor(parts) {
    const { feed } = parts;
    this.#parts = parts;
    this.id = feed.processId;
    this.command = parts.command;
    this.cwd = parts.cwd;
    this.tty = parts.stdinMode === "tty";
    this.#stdin = new ProcessStdin({ ...parts, mode: parts.stdinMode });
    this.#control = new ProcessControl(parts);
    this.#waits = new ProcessWaits(feed);
    this.#windows = new ProcessWindows(feed);
    this.stdin = this.#stdin;
    this.stdout = new ProcessOutputView(feed, (stream) => stream !== "stderr");
    this.stderr = new ProcessOutputView(feed, (stream) => stream === "stderr");
    this.output = new ProcessOutputView(feed, () => true);
  }
  get state() {
    const { feed } = this.#parts;
    if (feed.closed) return "closed";
    if (feed.exit !== void 0) return "exited";
    return feed.lost === void 0 ? "running" : "lost";
  }
  get exitCode() {
    return this.#parts.feed.exit?.exitCode;
  }
  /** Everything that happens, in order, until the output is over. */
  events(options2 = {}) {
    checkCallOptions("events", options2);
    return readEvents(this.#parts.feed, options2);
  }
  [Symbol.asyncIterator]() {
    return this.events();
  }
  /** The outcome, when the process has ended and its output is in. Throws `process.waitTimeout`; it runs on. */
  async wait(options2 = {}) {
    checkCallOptions("wait", options2);
    return this.#waits.outcome(options2);
  }
  /** Waits for text, each time behind the last match; the first time from the beginning. */
  async waitFor(pattern2, options2 = {}) {
    checkPattern(pattern2);
    checkCallOptions("waitFor", options2);
    return this.#waits.text(pattern2, options2);
  }
  /** Waits until something on the server's machine listens on a TCP port. */
  async waitForPort(port, options2 = {}) {
    checkPort(port);
    checkCallOptions("waitForPort", options2);
    const { feed, readFile: readFile3 } = this.#parts;
    await waitForPort({ ...options2, feed, readFile: readFile3, port });
  }
  /** Waits until there was no output for a while. */
  async waitForQuiet(ms, options2 = {}) {
    checkDuration("waitForQuiet", ms);
    checkCallOptions("waitForQuiet", options2);
    await this.#windows.waitForQuiet(ms, options2);
  }
  /** Sends all of the input and its end, and collects the result. */
  async communicate(input, options2 = {}) {
    checkCallOptions("communicate", options2);
    const { stdinMode: stdinMode2, capabilities } = this.#parts;
    if (stdinMode2 === "pipe") capabilities.require("stdin.end", "Ending the input of a running process");
    const sent = this.sendInput(input);
    if (stdinMode2 === "none") await sent;
    sent.catch(() => void 0);
    await this.wait(options2);
    return this.peek();
  }
  /** Collects output for a while; goes on where the last window ended. */
  yieldWindow(window) {
    return this.#windows.collect(window);
  }
  /** Writes and then collects. Interactions with one process go one after the other. */
  async interact(input, window) {
    checkCallOptions("interact", window);
    const write = async () => {
      if (input.length > 0) await this.stdin.write(input);
    };
    return this.#windows.takeTurn(write, window);
  }
  /** The result, when the process has ended and its output is in. */
  async result() {
    await this.#parts.feed.settled;
    return this.peek();
  }
  /** The result as far as it is known; throws while the process runs. */
  peek() {
    return resultOf(this.#parts.feed, this.#parts);
  }
  /** SIGINT to the process group, as Ctrl-C does. */
  interrupt() {
    return this.#control.signal("interrupt");
  }
  /** Signals besides the interrupt need `signal.any`. */
  signal(name) {
    return this.#control.signal(name);
  }
  /** Kills the process tree without asking it. */
  terminate() {
    return this.#control.terminate();
  }
  /** Interrupt, grace period, kill, confirm: ends in bounded time. */
  async stop(policy2 = {}) {
    checkCallOptions("stop", policy2);
    await this.#control.stopBecause({ kind: "terminated" }, policy2);
    return this.wait();
  }
  /** As `stop`, with another reason in the outcome. */
  stopBecause(cause) {
    return this.#control.stopBecause(cause);
  }
  /** Needs `pty.resize`. */
  async resize(size2) {
    checkCallOptions("resize", size2);
    return this.#control.resize(size2);
  }
  /**
   * Lets go: neither dispose nor close() ends the process. For this handle it is lost from here on, so that pending
   * waits end.
   */
  detach() {
    const { feed, link } = this.#parts;
    this.#isDetached = true;
    this.#parts.release();
    const message = `process ${this.id} was detached from this handle`;
    feed.fail(new ExecServerError("closed", message, { details: { operation: "detach" } }));
    return { v: 1, sessionId: link.sessionId, processId: this.id, cursor: cursorAt(feed.log.lastSeq) };
  }
  async [Symbol.asyncDispose]() {
    if (this.#isDetached) return;
    await this.#control.stopBecause({ kind: "terminated" });
    void this.#parts.feed.settled.then(() => this.#parts.release());
  }
  /** Sends input and its end. */
  async sendInput(input) {
    if (input !== void 0) await this.#stdin.writeAll(input);
    await this.#stdin.end();
  }
};

// packages/client/src/process/end/signal-names.ts
var NAMES = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  10: "SIGUSR1",
  11: "SIGSEGV",
  12: "SIGUSR2",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
  31: "SIGSYS"
};
function signalOfExitCode(exitCode) {
  return exitCode > 128 ? NAMES[exitCode - 128] : void 0;
}

// packages/client/src/process/end/process-outcome.ts
function outcomeOf({ exit, cause, lost, sandboxType }) {
  if (cause !== void 0) return { ...cause, exitCode: exit?.exitCode ?? null };
  if (exit === void 0)
    return lost === void 0 ? void 0 : { kind: "lost", exitCode: null, error: lost };
  const { exitCode, denied, evidence } = exit;
  if (denied) return { kind: "denied", exitCode, denial: { sandboxType, ...shown(evidence) } };
  const signal = signalOfExitCode(exitCode);
  return signal === void 0 ? { kind: "exited", exitCode } : { kind: "exited", exitCode, signal };
}
function shown(evidence) {
  if (evidence === void 0) return {};
  const { reason, line, path } = evidence;
  return { reason, line, ...path == null ? {} : { path } };
}

// packages/client/src/process/output/output-drain.ts
var GRACE_MS2 = 50;
var MAX_DRAIN_MS = 2e3;
var OutputDrain = class {
  #options;
  #timer;
  #exitedAt;
  #activity = 0;
  #isOver = false;
  constructor(options2) {
    this.#options = options2;
  }
  exited() {
    if (this.#exitedAt !== void 0 || this.#isOver) return;
    this.#exitedAt = this.#options.clock.now();
    if (this.#options.policy.until !== "closed") this.#await();
  }
  output() {
    this.#activity++;
  }
  closed() {
    this.#finish(false);
  }
  /** Nothing more will come: the connection is gone, or a stop was never confirmed. */
  abandon() {
    this.#finish(this.#exitedAt !== void 0);
  }
  #await() {
    const seen = this.#activity;
    this.#timer = this.#options.clock.schedule(this.#options.policy.graceMs ?? GRACE_MS2, () => {
      if (this.#isTooLate()) this.#finish(true);
      else if (this.#activity !== seen) this.#await();
      else void this.#ask(seen);
    });
  }
  async #ask(seen) {
    await this.#options.askForMore().catch(() => void 0);
    if (this.#isOver) return;
    if (this.#activity === seen || this.#isTooLate()) this.#finish(true);
    else this.#await();
  }
  #isTooLate() {
    return this.#options.clock.now() - (this.#exitedAt ?? 0) >= MAX_DRAIN_MS;
  }
  #finish(heldOpen) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#options.done(heldOpen);
  }
};

// packages/client/src/process/events/event-log.ts
var MAX_ENTRIES = 65536;
var EventLog = class {
  #maxBytes;
  #entries = [];
  #start = 0;
  #dropped = 0;
  #droppedSeq;
  #bytes = 0;
  #lastSeq;
  constructor(maxBytes, afterSeq = 0) {
    this.#maxBytes = maxBytes;
    this.#lastSeq = afterSeq;
    this.#droppedSeq = afterSeq;
  }
  get lastSeq() {
    return this.#lastSeq;
  }
  /** `seq` is left out for events that take none. */
  append(event, seq = this.#lastSeq) {
    this.#lastSeq = seq;
    this.#entries.push({ event, seq, bytesBefore: this.#bytes });
    if (event.type === "output") this.#bytes += event.bytes.length;
    this.#evict();
  }
  /** A reader of everything behind `afterSeq`, from the first event where it is left out. */
  reader(afterSeq) {
    if (afterSeq === void 0) return new LogReader(this, { position: 0, seq: 0, bytesBefore: 0 });
    let position = this.#dropped;
    for (let index = this.#start; index < this.#entries.length; index++, position++) {
      const entry = this.#entries[index];
      if (entry !== void 0 && entry.seq > afterSeq) {
        return new LogReader(this, { position, seq: afterSeq, bytesBefore: entry.bytesBefore });
      }
    }
    return new LogReader(this, { position, seq: this.#lastSeq, bytesBefore: this.#bytes });
  }
  /** For readers: the entry at a position, or where the oldest one is; undefined at the end. */
  entryAt(position) {
    if (position < this.#dropped) {
      const bytesBefore = this.#entries[this.#start]?.bytesBefore ?? this.#bytes;
      return { dropped: { position: this.#dropped, throughSeq: this.#droppedSeq, bytesBefore } };
    }
    const entry = this.#entries[this.#start + position - this.#dropped];
    return entry === void 0 ? void 0 : { entry };
  }
  #evict() {
    const first = () => this.#entries[this.#start];
    for (let oldest = first(); oldest !== void 0; oldest = first()) {
      const tooMany = this.#entries.length - this.#start > MAX_ENTRIES;
      if (!tooMany && this.#bytes - oldest.bytesBefore <= this.#maxBytes) break;
      if (this.#start === this.#entries.length - 1) break;
      this.#start++;
      this.#dropped++;
      this.#droppedSeq = oldest.seq;
    }
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
};
var LogReader = class _LogReader {
  #log;
  #position;
  #seq;
  #bytes;
  constructor(log, place2) {
    this.#log = log;
    this.#position = place2.position;
    this.#seq = place2.seq;
    this.#bytes = place2.bytesBefore;
  }
  /** Everything up to this seq was read. */
  get seq() {
    return this.#seq;
  }
  next() {
    const found = this.#log.entryAt(this.#position);
    if (found === void 0) return void 0;
    if ("dropped" in found) return this.#skip(found.dropped);
    const { event, seq, bytesBefore } = found.entry;
    this.#position++;
    this.#seq = Math.max(this.#seq, seq);
    this.#bytes = bytesBefore + (event.type === "output" ? event.bytes.length : 0);
    return event;
  }
  clone() {
    return new _LogReader(this.#log, { position: this.#position, seq: this.#seq, bytesBefore: this.#bytes });
  }
  #skip({ position, throughSeq, bytesBefore }) {
    const gap = {
      fromSeq: this.#seq + 1,
      toSeq: throughSeq,
      bytes: bytesBefore - this.#bytes,
      why: "clientBudget"
    };
    this.#position = position;
    this.#seq = throughSeq;
    this.#bytes = bytesBefore;
    return { type: "gap", gap, cursor: cursorAt(throughSeq) };
  }
};

// packages/client/src/process/events/feed-failure.ts
function processFailure(processId, message) {
  return new ExecServerError("process.unknown", `process ${processId} failed on the server: ${message}`, {
    details: { processId },
    admitted: true
  });
}
function asFailure(error2) {
  if (isExecServerError(error2)) return error2;
  const message = error2 instanceof Error ? error2.message : String(error2);
  return new ExecServerError("protocol.violation", message, { details: { message }, cause: error2 });
}

// packages/client/src/process/events/event-repair.ts
var EventRepair = class {
  #options;
  #running;
  #mustRepeat = false;
  constructor(options2) {
    this.#options = options2;
  }
  /** Resolves when everything the server had when asked is published. Never rejects. */
  run() {
    if (this.#running !== void 0) {
      this.#mustRepeat = true;
      return this.#running;
    }
    this.#running = this.#readAll().catch((error2) => this.#options.failed(asFailure(error2))).finally(() => {
      this.#running = void 0;
    });
    return this.#running;
  }
  async #readAll() {
    const { order, read, isOver, processId } = this.#options;
    do {
      for (let more = true; more && !isOver(); ) {
        const before = order.lastSeq;
        const reply = await read(before);
        if (reply.failure != null) throw processFailure(processId, reply.failure);
        order.read(reply);
        more = reply.chunks.length > 0 && order.lastSeq > before;
      }
    } while (this.#takeRequest());
  }
  #takeRequest() {
    const asked = this.#mustRepeat;
    this.#mustRepeat = false;
    return asked;
  }
};

// packages/client/src/process/events/utf8-carry.ts
var NOTHING4 = new Uint8Array(0);
var decoder2 = new TextDecoder("utf-8", { ignoreBOM: true });
var Utf8Carry = class {
  #carried = NOTHING4;
  /** Bytes that wait for their continuation. */
  get pending() {
    return this.#carried;
  }
  next(chunk) {
    const carried = this.#carried;
    const unfinished = unfinishedTail(carried, chunk);
    const wholeBytes = Math.max(0, chunk.length - unfinished);
    this.#carried = unfinished === 0 ? NOTHING4 : unfinished <= chunk.length ? chunk.subarray(wholeBytes) : join6(carried, chunk);
    return unfinished > chunk.length ? { carried: NOTHING4, wholeBytes: 0 } : { carried, wholeBytes };
  }
  /** A gap: what waited will never be finished. */
  reset() {
    this.#carried = NOTHING4;
  }
};
function decodeWhole(chunk, { carried, wholeBytes }) {
  if (carried.length === 0) return decoder2.decode(chunk.subarray(0, wholeBytes));
  return decoder2.decode(join6(carried, chunk.subarray(0, wholeBytes)));
}
function unfinishedTail(carried, chunk) {
  const total = carried.length + chunk.length;
  const at = (index) => (index < carried.length ? carried[index] : chunk[index - carried.length]) ?? 0;
  for (let back = 1; back <= Math.min(3, total); back++) {
    const byte = at(total - back);
    if ((byte & 192) === 128) continue;
    const needed = byte >= 240 && byte < 248 ? 4 : byte >= 224 ? byte < 240 ? 3 : 0 : byte >= 194 ? 2 : 0;
    return needed > back ? back : 0;
  }
  return 0;
}
function join6(first, second) {
  if (first.length === 0) return second;
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

// packages/client/src/process/events/text-events.ts
var TextEvents = class {
  #carries = { stdout: new Utf8Carry(), stderr: new Utf8Carry(), pty: new Utf8Carry() };
  output(event) {
    const carry = this.#carries[event.stream];
    return new LazyOutputEvent(event, carry.next(event.bytes));
  }
  /** What waits for the rest of a character, which will not come where the output is over. */
  unfinished(stream) {
    const { pending } = this.#carries[stream];
    return decodeWhole(pending, { carried: new Uint8Array(0), wholeBytes: pending.length });
  }
  /** After a gap nothing continues what was there before. */
  reset() {
    for (const carry of Object.values(this.#carries)) carry.reset();
  }
};
var LazyOutputEvent = class {
  type = "output";
  seq;
  stream;
  bytes;
  #whole;
  constructor(event, whole) {
    this.seq = event.seq;
    this.stream = event.stream;
    this.bytes = event.bytes;
    this.#whole = whole;
  }
  get text() {
    return decodeWhole(this.bytes, this.#whole);
  }
  get cursor() {
    return cursorAt(this.seq);
  }
};

// packages/client/src/process/events/process-feed.ts
var ProcessFeed = class {
  processId;
  clock;
  log;
  stdout;
  stderr;
  output;
  /** Resolves when nothing more is waited for: output closed, drained after the exit, or lost. Never rejects. */
  settled;
  sandboxType = "unknown";
  #order;
  #repair;
  #texts = new TextEvents();
  #drain;
  #listeners = /* @__PURE__ */ new Set();
  #exit;
  #isClosed = false;
  #lost;
  #cause;
  #isSettled = false;
  #isHeldOpen = false;
  #isLaunched = false;
  constructor(options2) {
    const { processId, clock, bufferBytes, captureBytes, afterSeq = 0 } = options2;
    this.processId = processId;
    this.clock = clock;
    this.log = new EventLog(bufferBytes, afterSeq);
    this.stdout = new OutputCapture(captureBytes);
    this.stderr = new OutputCapture(captureBytes);
    this.output = new OutputCapture(captureBytes);
    this.#order = new EventOrder(afterSeq, (event) => this.#publish(event));
    this.#repair = new EventRepair({
      processId,
      order: this.#order,
      read: (after) => options2.read(after),
      isOver: () => this.#lost !== void 0 || this.#isClosed,
      failed: (error2) => this.fail(error2)
    });
    let settle = () => {
    };
    this.settled = new Promise((resolve) => {
      settle = resolve;
    });
    this.#drain = new OutputDrain({
      clock,
      policy: options2.drain,
      askForMore: () => this.repair(),
      done: (heldOpen) => {
        this.#isHeldOpen = heldOpen;
        this.#isSettled = true;
        settle();
        this.#changed();
      }
    });
  }
  get exit() {
    return this.#exit;
  }
  get closed() {
    return this.#isClosed;
  }
  get lost() {
    return this.#lost;
  }
  get isSettled() {
    return this.#isSettled;
  }
  get isRunning() {
    return this.#exit === void 0 && this.#lost === void 0 && !this.#isSettled;
  }
  get pipesHeldOpen() {
    return this.#isHeldOpen && !this.#isClosed;
  }
  /** Undefined while the process runs and was not stopped. */
  get outcome() {
    if (this.isRunning) return void 0;
    return outcomeOf({
      exit: this.#exit,
      cause: this.#cause,
      lost: this.#lost,
      sandboxType: this.sandboxType
    });
  }
  /** The beginning of a character that never came, at the end of a stream. */
  unfinishedText(stream) {
    return this.#texts.unfinished(stream);
  }
  /** Called after every event and when the feed settles; returns how to stop that. */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  /** The server knows the process: from here on missed events can be read. */
  launched() {
    this.#isLaunched = true;
  }
  notification(method, params) {
    try {
      this.#take(method, params);
    } catch (error2) {
      this.fail(asFailure(error2));
    }
    if (this.#order.overflowing) void this.repair();
  }
  reconnecting() {
    this.log.append({ type: "reconnecting" });
    this.#changed();
  }
  reconnected() {
    if (!this.#isLaunched) return;
    void this.repair().then(() => {
      this.log.append({ type: "reconnected" });
      this.#changed();
    });
  }
  /** Reads until everything the server had when asked is published. Never rejects: a failure is the feed's end. */
  repair() {
    return this.#repair.run();
  }
  /** The first cause counts, and only while the process runs. */
  stopping(cause) {
    if (this.isRunning) this.#cause ??= cause;
  }
  /** A stop was asked for and never confirmed. */
  abandon() {
    this.#drain.abandon();
  }
  fail(error2) {
    if (this.#lost !== void 0 || this.#isClosed) return;
    this.#lost = error2;
    this.log.append({ type: "lost", error: error2 });
    this.#drain.abandon();
    this.#changed();
  }
  /** Makes every waiter of this feed look again. */
  poke() {
    this.#changed();
  }
  #take(method, params) {
    switch (method) {
      case "process/output": {
        const { seq, stream, chunk } = params;
        if (seq > this.#order.lastSeq)
          this.#order.push({ type: "output", seq, stream, bytes: decodeChunk(chunk) });
        break;
      }
      case "process/exited": {
        const exited = params;
        const { seq, exitCode } = exited;
        this.#order.push({ type: "exited", seq, exitCode, ...denialOf(exited) });
        break;
      }
      case "process/closed":
        this.#order.push({ type: "closed", seq: params.seq });
        break;
      case "process/failed":
        throw processFailure(this.processId, params.message);
    }
  }
  #publish(event) {
    switch (event.type) {
      case "output":
        (event.stream === "stderr" ? this.stderr : this.stdout).push(event.bytes);
        this.output.push(event.bytes);
        this.log.append(this.#texts.output(event), event.seq);
        this.#drain.output();
        break;
      case "gap":
        for (const capture of [this.stdout, this.stderr, this.output]) capture.gap(event.gap);
        this.#texts.reset();
        this.log.append({ ...event, cursor: cursorAt(event.gap.toSeq) }, event.gap.toSeq);
        break;
      case "exited":
        this.#exit = { ...event, at: this.clock.now() };
        this.log.append(exitEvent(event), event.seq);
        this.#drain.exited();
        break;
      case "closed":
        this.#isClosed = true;
        this.log.append({ ...event, cursor: cursorAt(event.seq) }, event.seq);
        this.#drain.closed();
        break;
    }
    this.#changed();
  }
  #changed() {
    for (const listener of [...this.#listeners]) listener();
  }
};
function exitEvent({ seq, exitCode, denied }) {
  return { type: "exited", seq, exitCode, denied, cursor: cursorAt(seq) };
}

// packages/client/src/process/start/launch-context.ts
var BUFFER_BYTES = 16 * 1024 * 1024;
var CAPTURE_BYTES = 1024 * 1024;
var STARTING_RETRY_MS2 = 50;
var STARTING_ATTEMPTS = 40;
function createFeed({ link }, processId, options2, afterSeq = 0) {
  return new ProcessFeed({
    processId,
    clock: link.clock,
    bufferBytes: options2.bufferBytes ?? BUFFER_BYTES,
    captureBytes: options2.capture?.maxBytes ?? CAPTURE_BYTES,
    drain: options2.drain ?? {},
    afterSeq,
    read: (after) => readMissed(link, processId, after)
  });
}
async function readMissed(link, processId, afterSeq) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await link.call(
        "process/read",
        { processId, afterSeq, maxBytes: null, waitMs: 0 },
        { repeatable: true }
      );
    } catch (error2) {
      if (!(error2 instanceof RpcError)) throw error2;
      if (!error2.message.endsWith("is starting") || attempt === STARTING_ATTEMPTS)
        throw unknownProcess2(processId);
      await sleep(link.clock, STARTING_RETRY_MS2);
    }
  }
}

// packages/client/src/process/start/attach.ts
async function attachProcess(context, target, options2) {
  const { link, registry, capabilities } = context;
  const { processId, afterSeq } = target;
  const feed = createFeed(context, processId, options2, afterSeq);
  registry.add(feed);
  feed.launched();
  await feed.repair();
  if (feed.lost !== void 0) {
    registry.remove(feed);
    throw feed.lost;
  }
  const known = capabilities.supports("process.list") ? (await link.ask("process/list", null, { repeatable: true })).processes.find(
    (it) => it.processId === processId
  ) : void 0;
  return new RemoteProcess({
    link,
    feed,
    capabilities,
    command: known?.argv.join(" ") ?? processId,
    cwd: known === void 0 ? "" : fromFileUri(known.cwd),
    // Whether it has an input is not known everywhere; the server says no where it has none.
    stdinMode: known?.tty === true ? "tty" : "pipe",
    stop: options2.stop ?? {},
    startedAtMs: link.clock.now(),
    release: () => registry.remove(feed),
    readFile: context.readFile
  });
}

// packages/client/src/process/start/secret-variables.ts
var DEFAULT_ENV_EXCLUDES = Object.freeze([
  "*PASSWORD*",
  "*PASSWD*",
  "*PASSPHRASE*",
  "*_PASS",
  "*_PWD",
  "*CREDENTIAL*",
  "*COOKIE*",
  "*_AUTH",
  "*_AUTH_*",
  "*_PAT",
  "*_DSN",
  "*_URL",
  "*_URI",
  "*CONNECTION_STRING*",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS"
]);

// packages/client/src/process/start/start-params.ts
function startParams(argv, options2, { info, capabilities }) {
  const { cwd = ".", tty, metadata, sandbox: sandbox2, arg0 } = options2;
  if (typeof tty === "object") capabilities.require("pty.size", "A terminal of a chosen size");
  return {
    processId: options2.id ?? crypto.randomUUID(),
    argv,
    cwd: toFileUri(remotePath(cwd, info)),
    env: environmentOverlay(options2),
    envPolicy: environmentPolicy(options2),
    tty: tty !== void 0 && tty !== false,
    ...typeof tty === "object" ? { rows: tty.rows, cols: tty.cols } : {},
    pipeStdin: stdinMode(options2) === "pipe",
    arg0: arg0 ?? null,
    ...metadata === void 0 ? {} : { metadata },
    ...sandbox2 === void 0 ? {} : { sandbox: wireSandbox(sandbox2, { info, cwd }) }
  };
}
function stdinMode({ tty, stdin: stdin2 = "none" }) {
  if (tty !== void 0 && tty !== false) return "tty";
  return stdin2 === "none" ? "none" : "pipe";
}
function environmentOverlay({ env = {}, tty }) {
  const overlay = tty === void 0 || tty === false ? {} : { TERM: "xterm-256color" };
  for (const [name, value] of Object.entries(env)) if (value !== void 0) overlay[name] = value;
  return overlay;
}
function environmentPolicy({ env = {}, inheritEnv = "all" }) {
  const given = typeof inheritEnv === "string" ? { inherit: inheritEnv } : inheritEnv;
  const secrets = given.ignoreDefaultExcludes === true ? [] : DEFAULT_ENV_EXCLUDES;
  const removed = Object.keys(env).filter((name) => env[name] === void 0);
  for (const name of removed) {
    if (/[*?]/.test(name)) throw invalidArgument("env", `${name} cannot be the name of a variable`);
  }
  return {
    inherit: given.inherit ?? "all",
    ignoreDefaultExcludes: given.ignoreDefaultExcludes ?? false,
    exclude: [...secrets, ...given.exclude ?? [], ...removed],
    set: given.set ?? {},
    includeOnly: given.includeOnly ?? []
  };
}

// packages/client/src/process/start/start-patience.ts
var UNSENT_MS = 6e4;
var ANSWER_MS2 = 5e3;
function awaitStart(request) {
  const { clock, signal, timeoutMs, answerMs = ANSWER_MS2 } = request;
  if (signal === void 0 && timeoutMs === void 0) {
    return request.start(new AbortController().signal, () => {
    }).then(() => "started");
  }
  const unsent = new AbortController();
  let deadline;
  return new Promise((resolve, reject) => {
    let isOver = false;
    let isSent = false;
    const finish = (settle) => {
      if (isOver) return;
      isOver = true;
      deadline?.cancel();
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = () => {
      unsent.abort(signal?.reason);
      finish(() => reject(abortedError("spawn", signal?.reason, isSent ? "unknown" : false)));
    };
    const wait = (ms, verdict) => {
      deadline?.cancel();
      deadline = clock.schedule(ms, () => {
        unsent.abort();
        finish(() => resolve(verdict));
      });
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    if (timeoutMs !== void 0) wait(timeoutMs + UNSENT_MS, "notSent");
    const started = request.start(unsent.signal, () => {
      isSent = true;
      if (timeoutMs !== void 0 && !isOver) wait(timeoutMs + answerMs, "unanswered");
    });
    started.then(
      () => isOver ? request.startedLate() : finish(() => resolve("started")),
      (error2) => finish(() => reject(error2))
    );
  });
}

// packages/client/src/process/start/launch.ts
async function launch(context, line, options2) {
  const { link, registry, capabilities } = context;
  const { signal } = options2;
  if (signal?.aborted === true) throw abortedError("spawn", signal.reason, false);
  const params = startParams(line.argv, options2, { info: link.info, capabilities });
  const { processId } = params;
  if (registry.has(processId)) {
    throw new ExecServerError("process.idInUse", `process id ${processId} is in use`, {
      details: { processId }
    });
  }
  const feed = createFeed(context, processId, options2);
  const startedAtMs = link.clock.now();
  registry.add(feed);
  const handle = new RemoteProcess({
    link,
    feed,
    capabilities,
    command: line.shown,
    cwd: fromFileUri(params.cwd),
    stdinMode: stdinMode(options2),
    stop: options2.stop ?? {},
    startedAtMs,
    release: () => registry.remove(feed),
    readFile: context.readFile
  });
  try {
    const verdict = await awaitStart({
      clock: link.clock,
      signal,
      timeoutMs: options2.timeoutMs,
      answerMs: options2.stop?.confirmMs,
      start: (unsent, onSent) => requestStart(context, feed, { params, unsent, onSent }),
      startedLate: () => void handle.terminate().catch(() => void 0)
    });
    if (verdict !== "started") {
      const started = verdict === "notSent" ? false : "unknown";
      feed.stopping({ kind: "timedOut", timeoutMs: options2.timeoutMs ?? 0, started });
      if (verdict === "unanswered") void handle.terminate().catch(() => void 0);
      feed.abandon();
      registry.remove(feed);
      return handle;
    }
  } catch (error2) {
    registry.remove(feed);
    throw spawnFailure(error2, { processId, command: line.shown, cwd: fromFileUri(params.cwd) });
  }
  guard(handle, feed, options2);
  return handle;
}
async function requestStart({ link }, feed, { params, unsent, onSent }) {
  const request = { repeated: false };
  try {
    const onRepeat = () => {
      request.repeated = true;
    };
    const options2 = { repeatable: true, onRepeat, unsent, onSent };
    const { sandboxType } = await link.call("process/start", params, options2);
    feed.sandboxType = sandboxType ?? "unknown";
  } catch (error2) {
    const isOurs = request.repeated && error2 instanceof RpcError && error2.message.endsWith("already exists");
    if (!isOurs) throw error2;
  }
  feed.launched();
  if (!request.repeated) return;
  await feed.repair();
  if (feed.lost !== void 0) throw await abandonedStart(link, feed.processId);
}
async function abandonedStart(link, processId) {
  await link.call("process/terminate", { processId }, { repeatable: true, control: true }).catch(() => void 0);
  const reason = "the connection broke during process/start, and the server did not finish it";
  return new ExecServerError("transport.lost", reason, {
    details: { reason: "connectionLost", sessionId: link.sessionId },
    admitted: "unknown",
    retryable: true,
    hint: "Run it again if it does no harm twice."
  });
}
function guard(handle, feed, { timeoutMs, signal }) {
  const stops = [];
  if (timeoutMs !== void 0) {
    const timer = feed.clock.schedule(
      timeoutMs,
      () => void handle.stopBecause({ kind: "timedOut", timeoutMs })
    );
    stops.push(() => timer.cancel());
  }
  if (signal !== void 0) {
    const onAbort = () => void handle.stopBecause({ kind: "aborted", reason: signal.reason });
    signal.addEventListener("abort", onAbort, { once: true });
    stops.push(() => signal.removeEventListener("abort", onAbort));
  }
  if (stops.length === 0) return;
  const release2 = feed.onChange(() => {
    if (feed.isRunning) return;
    release2();
    for (const stop of stops) stop();
  });
}

// packages/client/src/run/command-line.ts
function commandLine(command, { shell: shell2 }) {
  if (typeof command === "string") return { argv: shellArgv(shell2, command, false), shown: command };
  if ("shell" in command) {
    return { argv: shellArgv(shell2, command.shell, command.login === true), shown: command.shell };
  }
  if (typeof command[0] !== "string" || command[0] === "") {
    throw invalidArgument("command", "a command needs a program to run");
  }
  return { argv: [...command], shown: shellJoin(command) };
}
function shellArgv(shell2, script, login) {
  switch (shell2.name) {
    case "powershell":
      return [shell2.path, ...login ? [] : ["-NoProfile"], "-Command", script];
    case "cmd":
      return [shell2.path, "/c", script];
    default:
      return [shell2.path, login ? "-lc" : "-c", script];
  }
}

// packages/client/src/run/run-promise.ts
var RunPromise = class {
  [Symbol.toStringTag] = "RunPromise";
  /** The handle, as soon as the process runs. */
  process;
  #result;
  constructor(process2, result) {
    this.process = process2;
    this.#result = result;
    process2.catch(() => void 0);
    result.catch(() => void 0);
  }
  // biome-ignore lint/suspicious/noThenProperty: this object is a promise.
  then(onResult, onError) {
    return this.#result.then(onResult, onError);
  }
  catch(onError) {
    return this.#result.catch(onError);
  }
  finally(onDone) {
    return this.#result.finally(onDone);
  }
  /** Text of both streams as it comes. Leaving the loop does nothing to the command. */
  async *[Symbol.asyncIterator]() {
    yield* (await this.process).output;
  }
  /** Lines of stdout (of the terminal, on a tty) as they come. */
  async *lines() {
    yield* (await this.process).stdout.lines();
  }
  /** Stdout of a command that succeeds. */
  async text() {
    const { stdout } = await this.orThrow();
    if (stdout.complete) return stdout.text;
    throw new ExecServerError("output.invalid", `${stdout.omittedBytes} bytes of the output were not kept`, {
      details: { format: "text", text: stdout.text.slice(0, 2e3) },
      admitted: true,
      hint: "Raise capture.maxBytes, or read the output as it comes."
    });
  }
  async json(schema) {
    const result = await this.orThrow();
    return schema === void 0 ? result.json() : result.json(schema);
  }
  async orThrow() {
    return (await this.#result).orThrow();
  }
};

// packages/client/src/run/stdin-emulation.ts
async function emulateWholeInput(line, input, info) {
  if (info.platformOs === "windows") {
    throw unsupported("stdin.end", "Input with an end", info.executorVersion ?? void 0);
  }
  const bytes = await collect2(input);
  const argv = ["/bin/sh", "-c", 'head -c "$0" | "$@"', String(bytes.length), ...line.argv];
  return { line: { argv, shown: line.shown }, bytes };
}
async function collect2(input) {
  const encoder = new TextEncoder();
  if (typeof input === "string") return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  const chunks = [];
  let total = 0;
  for await (const chunk of input) {
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    chunks.push(bytes);
    total += bytes.length;
  }
  return concat(chunks, total);
}

// packages/client/src/run/run.ts
var RUN_CAPTURE_BYTES = 64 * 1024 * 1024;
function run2(context, command, options2) {
  const process2 = checkedSpawn(context, command, { capture: { maxBytes: RUN_CAPTURE_BYTES }, ...options2 });
  const result = collect3(process2, options2).catch((error2) => {
    if (ExecServerError.is(error2, "aborted") && options2.signal?.aborted === true) {
      const started = error2.admitted === false ? false : "unknown";
      return neverStarted(command, { reason: options2.signal.reason, started });
    }
    throw error2;
  });
  return new RunPromise(process2, result);
}
async function checkedSpawn(context, command, options2) {
  checkRunOptions(options2);
  return spawn4(context, command, options2);
}
async function spawn4(context, command, options2) {
  const line = commandLine(command, context.link.info);
  const { stdin: stdin2, tty } = options2;
  if (typeof stdin2 !== "object") return launch(context, line, options2);
  const canEnd = context.capabilities.supports("stdin.end") || tty !== void 0 && tty !== false;
  if (canEnd) {
    const process3 = await launch(context, line, options2);
    void process3.sendInput(stdin2.data).catch(() => void 0);
    return process3;
  }
  const emulated = await emulateWholeInput(line, stdin2.data, context.link.info);
  const process2 = await launch(context, emulated.line, options2);
  void process2.stdin.write(emulated.bytes).catch(() => void 0);
  return process2;
}
async function collect3(started, options2) {
  const process2 = await started;
  const { onOutput } = options2;
  if (onOutput !== void 0) {
    for await (const event of process2.events()) if (event.type === "output") onOutput(event);
  }
  const result = await process2.result();
  return options2.check === true ? result.orThrow() : result;
}
function neverStarted(command, abort) {
  const nothing = capturedFrom(new HeadTailBuffer(0), []);
  return new RunResult({
    outcome: { kind: "aborted", exitCode: null, ...abort },
    stdout: nothing,
    stderr: nothing,
    output: nothing,
    command: typeof command === "string" ? command : "shell" in command ? command.shell : command.join(" "),
    cwd: "",
    durationMs: 0,
    processId: "",
    pipesHeldOpen: false
  });
}

// packages/client/src/session/heartbeat.ts
var TIMEOUT_MS = 15e3;
var BUSY_FACTOR = 4;
function heartbeatTimes(policy2) {
  const timeoutMs = policy2 === false ? 0 : policy2?.timeoutMs ?? TIMEOUT_MS;
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return void 0;
  return { askAfterMs: timeoutMs / 3, deadAfterMs: timeoutMs * 2 / 3 };
}
var Heartbeat = class {
  #peer;
  #clock;
  #times;
  #timer;
  #received;
  #lastLifeAt;
  #isAsking = false;
  constructor(peer, clock, times) {
    this.#peer = peer;
    this.#clock = clock;
    this.#times = times;
    this.#received = peer.stats.receivedMessages;
    this.#lastLifeAt = clock.now();
    this.#timer = this.#next();
    void peer.closed.then(() => this.#timer.cancel());
  }
  #next() {
    return this.#clock.schedule(this.#times.askAfterMs, () => this.#look());
  }
  #look() {
    const { receivedMessages, pendingCalls } = this.#peer.stats;
    const now = this.#clock.now();
    if (receivedMessages !== this.#received) this.#lastLifeAt = now;
    this.#received = receivedMessages;
    const isBusy = pendingCalls > (this.#isAsking ? 1 : 0);
    const patience = this.#times.deadAfterMs * (isBusy ? BUSY_FACTOR : 1);
    if (this.#isAsking && now - this.#lastLifeAt >= patience) {
      this.#peer.close(void 0, `no sign of life for ${Math.round(now - this.#lastLifeAt)} ms`);
      return;
    }
    if (now - this.#lastLifeAt >= this.#times.askAfterMs) void this.#ask();
    this.#timer = this.#next();
  }
  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#peer.call("environment/status", null);
    } catch (error2) {
      if (error2 instanceof RpcTransportError) return;
    } finally {
      this.#isAsking = false;
    }
  }
};

// packages/client/src/session/channel-opener.ts
function channelOpener(target, options2) {
  if (typeof target === "string" || target instanceof URL) {
    return isFleet(target, options2) ? fleetOpener(String(target), options2) : webSocketOpener(target, options2);
  }
  if ("command" in target) return commandOpener(target);
  const { channel } = target;
  if (typeof channel === "function") {
    return { label: "channel", reopenable: true, open: async () => channel() };
  }
  return { label: channel.label, reopenable: false, open: () => Promise.resolve(channel) };
}
function isFleet(target, { environment }) {
  return environment !== void 0 || /^(?:nats|tls):/i.test(String(target));
}
function fleetOpener(broker, options2) {
  const { environment, machine, credentials, caFile, clientName, sessionTtlMs, fleet = {} } = options2;
  if (environment === void 0) {
    throw invalidArgument(
      "environment",
      'a broker serves many machines: say which environment, as in { environment: "default" }'
    );
  }
  const { openFleet: openFleet2 } = platform;
  if (openFleet2 === void 0) throw unsupported("connect.fleet", "Connecting to a fleet");
  return openFleet2({
    broker,
    environment,
    ...fleet,
    ...machine === void 0 ? {} : { machine },
    ...credentials === void 0 ? {} : { credentials },
    ...caFile === void 0 ? {} : { caFile },
    ...clientName === void 0 ? {} : { clientName },
    ...sessionTtlMs === void 0 ? {} : { sessionTtlMs },
    ...options2.token === void 0 ? {} : { token: options2.token }
  });
}
function webSocketOpener(target, options2) {
  const url = parseUrl2(target);
  const { headers = {}, token } = options2;
  const heartbeat = heartbeatTimes(options2.heartbeat);
  return {
    label: `${url.protocol}//${url.host}`,
    reopenable: true,
    open: (signal) => platform.openWebSocket(url.href, {
      headers,
      signal,
      heartbeat,
      ...token === void 0 ? {} : { token }
    })
  };
}
function parseUrl2(target) {
  let url;
  try {
    url = new URL(target);
  } catch {
    throw invalidArgument("target", `not a URL: ${String(target)}`);
  }
  if (url.protocol !== "ws:" && url.protocol !== "wss:") {
    throw invalidArgument(
      "target",
      `an exec-server URL starts with ws:// or wss://, a fleet's with nats:// or tls://, not ${url.protocol}//`
    );
  }
  return url;
}
function commandOpener(target) {
  const { openCommand: openCommand2 } = platform;
  const { cwd, env } = target;
  const [program, ...args] = target.command;
  if (program === void 0) throw invalidArgument("target", "a command needs a program to run");
  return {
    label: program,
    // A server on stdio ends with its connection and takes its sessions along.
    reopenable: false,
    open: async () => {
      if (openCommand2 === void 0) throw unsupported("connect.command", "Starting a server");
      return openCommand2({
        argv: [program, ...args],
        ...cwd === void 0 ? {} : { cwd },
        ...env === void 0 ? {} : { env }
      });
    }
  };
}

// packages/client/src/session/call-slots.ts
var MAX_IN_FLIGHT = 64;
var CallSlots = class {
  #free = MAX_IN_FLIGHT;
  #waiting = /* @__PURE__ */ new Set();
  async run(work, { signal }) {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === void 0) this.#free++;
      else next();
    }
  }
  /** First come, first served; an aborted call leaves the queue at once. */
  #turn(signal) {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(take);
        signal?.removeEventListener("abort", onAbort);
      };
      const take = () => {
        leave();
        resolve();
      };
      const onAbort = () => {
        leave();
        reject(abortedError("a request", signal?.reason, false));
      };
      this.#waiting.add(take);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
};

// packages/client/src/session/handshake.ts
async function openConnection(options2) {
  const deadline = new AbortController();
  const timer = options2.clock.schedule(options2.timeoutMs, () => deadline.abort(timeoutError(options2)));
  const signal = options2.signal === void 0 ? deadline.signal : AbortSignal.any([deadline.signal, options2.signal]);
  try {
    return await untilAborted(connectAndInitialize(options2, signal), signal);
  } finally {
    timer.cancel();
  }
}
async function connectAndInitialize(options2, signal) {
  const channel = await options2.opener.open(signal, { resumeSessionId: options2.resumeSessionId });
  if (signal.aborted) channel.close();
  const peer = new RpcPeer(channel, {
    onRequest: ({ method }) => {
      throw new ExecServerError("protocol.violation", `unexpected request ${method}`, {
        details: { message: method }
      });
    },
    onNotification: options2.onNotification,
    payloadMembers: PAYLOAD_MEMBERS
  });
  const wantsBinary = options2.binaryPayloads !== false && peer.canUseBinary;
  if (wantsBinary) peer.acceptBinary();
  const abandon = () => peer.close();
  signal.addEventListener("abort", abandon, { once: true });
  try {
    const asked = { ...initializeParams(options2), ...wantsBinary ? { binaryPayloads: true } : {} };
    const result = await peer.call("initialize", asked);
    if (options2.role === "observer" && result.grants == null) throw unsupported("observe", "Observing");
    peer.notify("initialized", {});
    const info = result.environmentInfo ?? await peer.call("environment/info", null);
    if (wantsBinary && info.capabilities?.binaryPayloads === true) peer.sendBinary();
    if (channel.noticesDeath === false && options2.heartbeat !== void 0) {
      new Heartbeat(peer, options2.clock, options2.heartbeat);
    }
    return { peer, sessionId: result.sessionId, info, grants: result.grants ?? [] };
  } catch (error2) {
    peer.close();
    throw error2;
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}
function initializeParams(options2) {
  const { clientName, role, resumeSessionId, sessionTtlMs, interventions } = options2;
  if (role === "observer") return { clientName, role };
  return {
    clientName,
    resumeSessionId,
    // Servers that know it tell when a process is lost on their side.
    lifecycleNotifications: true,
    ...interventions === true ? { interventions } : {},
    ...sessionTtlMs === void 0 ? {} : { sessionTtlMs }
  };
}
function untilAborted(work, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      const { reason } = signal;
      reject(isExecServerError(reason) ? reason : abortedError("connect", reason));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
function timeoutError({ opener, timeoutMs }) {
  return new ExecServerError(
    "transport.timeout",
    `${opener.label} did not complete the handshake within ${timeoutMs} ms`,
    {
      details: { method: "initialize", timeoutMs },
      retryable: true
    }
  );
}

// packages/client/src/session/first-connection.ts
var CONNECT_TIMEOUT_MS = 1e4;
var ATTACHED_RETRY_MS = 100;
function handshakeOptions({ opener, options: options2, listener, role }, resumeSessionId) {
  return {
    opener,
    clock: options2.clock ?? systemClock,
    clientName: options2.clientName ?? "exec-client",
    resumeSessionId,
    ...role === void 0 ? {} : { role },
    heartbeat: heartbeatTimes(options2.heartbeat),
    timeoutMs: options2.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...options2.sessionTtlMs === void 0 ? {} : { sessionTtlMs: options2.sessionTtlMs },
    ...options2.binaryPayloads === void 0 ? {} : { binaryPayloads: options2.binaryPayloads },
    ...options2.signal === void 0 ? {} : { signal: options2.signal },
    onNotification: listener.onNotification
  };
}
async function openFirst(parts) {
  const { resume, clock = systemClock } = parts.options;
  const handshake = handshakeOptions(parts, resume?.sessionId ?? null);
  const firstTimeoutMs = handshake.timeoutMs + (parts.opener.patienceMs ?? 0);
  const deadline = clock.now() + firstTimeoutMs;
  let held;
  for (let remaining = firstTimeoutMs; ; remaining = deadline - clock.now()) {
    if (held !== void 0 && remaining <= 0) throw held;
    try {
      return await openConnection({ ...handshake, timeoutMs: remaining });
    } catch (error2) {
      if (!isAttached(error2)) {
        if (held !== void 0 && isTimeout(error2)) throw held;
        throw error2;
      }
      if (!parts.opener.reopenable) throw error2;
      held = error2;
      await sleep(clock, ATTACHED_RETRY_MS, parts.options.signal);
    }
  }
}
function isAttached(error2) {
  return error2 instanceof RpcError && error2.code === RpcErrorCode.sessionAttached;
}
function isTimeout(error2) {
  return ExecServerError.is(error2, "transport.timeout");
}

// packages/client/src/session/link-error.ts
var REFUSALS = /* @__PURE__ */ new Set([
  "CONNECT_UNAUTHORIZED",
  "CONNECT_FORBIDDEN",
  "CONNECT_NOT_A_WEBSOCKET",
  "CONNECT_BAD_URL",
  "FLEET_LOST",
  "FLEET_CREDENTIALS",
  "FLEET_ADDRESS",
  "FLEET_NAME",
  "unsupported"
]);
function connectError(opener, error2, resumed) {
  if (isExecServerError(error2)) return error2;
  if (resumed !== void 0 && error2 instanceof RpcError) {
    const refusal = resumeError(resumed, error2);
    if (refusal !== void 0) return refusal;
  }
  if (error2 instanceof CodedError && error2.code === "FLEET_NO_CAPACITY")
    return noCapacity(error2);
  const why = error2 instanceof Error ? error2.message : String(error2);
  const isUnauthorized = error2 instanceof CodedError && error2.code === "CONNECT_UNAUTHORIZED";
  return new ExecServerError("transport.connect", `cannot connect to ${opener.label}: ${why}`, {
    details: { target: opener.label, attempts: 1 },
    retryable: isWorthRetrying(error2),
    hint: isUnauthorized ? "Pass the token that the server expects." : "Check that the exec-server runs and that its URL is right.",
    cause: error2
  });
}
function noCapacity(error2) {
  const { environment, waitedMs } = error2.details;
  return new ExecServerError("fleet.noCapacity", error2.message, {
    details: { environment: String(environment), waitedMs: Number(waitedMs) },
    retryable: true,
    hint: "Start more machines in the environment, or wait longer (fleet.acquireTimeoutMs).",
    cause: error2
  });
}
function resumeError(sessionId, error2) {
  if (error2.code === RpcErrorCode.sessionAttached) {
    return new ExecServerError("session.held", `session ${sessionId} is held by another connection`, {
      details: { sessionId },
      retryable: true,
      hint: "Close the client that holds it; a holder that does not answer is replaced after a while.",
      cause: error2
    });
  }
  if (!isUnknownSession(error2)) return void 0;
  return new ExecServerError("session.unknown", `the server has no session ${sessionId} any more`, {
    details: { sessionId },
    hint: "Its time without a connection was over, or the server was started anew. Connect without resume.",
    cause: error2
  });
}
function isUnknownSession(error2) {
  return error2 instanceof RpcError && /unknown session/i.test(error2.message);
}
function isWorthRetrying(error2) {
  if (error2 instanceof RpcError) return error2.code === RpcErrorCode.sessionAttached;
  return !(error2 instanceof CodedError && REFUSALS.has(String(error2.code)));
}
function transportError(error2, method, signal) {
  if (error2.code === "RPC_CALL_ABORTED") return abortedError(method, signal?.reason);
  return new ExecServerError("protocol.violation", error2.message, {
    details: { message: error2.message },
    admitted: "unknown",
    cause: error2
  });
}
function describeClose({ code, reason }) {
  return [reason === "" ? "connection closed" : reason, code === void 0 ? "" : `(${code})`].filter(Boolean).join(" ");
}

// packages/client/src/session/recovery.ts
var MAX_ELAPSED_MS = 45e3;
var INTERVAL_MS2 = 100;
async function recoverConnection(options2) {
  const { clock, policy: policy2, signal } = options2;
  const deadline = clock.now() + (policy2.maxElapsedMs ?? MAX_ELAPSED_MS);
  for (let attempts = 1; ; attempts++) {
    try {
      return await options2.attempt(Math.max(1, deadline - clock.now()));
    } catch (error2) {
      if (!isWorthRetrying(error2)) throw error2;
      const remaining = deadline - clock.now();
      await sleep(clock, Math.min(policy2.intervalMs ?? INTERVAL_MS2, Math.max(0, remaining)), signal);
      if (signal.aborted || clock.now() >= deadline) throw gaveUp(attempts, error2);
    }
  }
}
function gaveUp(attempts, cause) {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ExecServerError("transport.connect", `gave up after ${attempts} attempts: ${why}`, {
    details: { target: "", attempts },
    retryable: true,
    cause
  });
}

// packages/client/src/session/session-link.ts
var CLOSE_TAKEN_OVER = 4001;
var SessionLink = class _SessionLink {
  clock;
  sessionId;
  info;
  /** Of an observer. */
  grants;
  #role;
  #opener;
  #options;
  #listener;
  #slots = new CallSlots();
  #closing = new AbortController();
  #state;
  constructor(first, parts) {
    this.clock = parts.options.clock ?? systemClock;
    this.sessionId = first.sessionId;
    this.info = first.info;
    this.grants = first.grants;
    this.#role = parts.role;
    this.#opener = parts.opener;
    this.#options = parts.options;
    this.#listener = parts.listener;
    this.#state = { phase: "open", connection: first };
    this.#watch(first);
    this.#report({ type: "connected" });
  }
  static async open(opener, options2, listener, role) {
    const parts = { opener, options: options2, listener, ...role === void 0 ? {} : { role } };
    try {
      return new _SessionLink(await openFirst(parts), parts);
    } catch (error2) {
      opener.close?.();
      throw connectError(opener, error2, options2.resume?.sessionId);
    }
  }
  get canReconnect() {
    return this.#opener.reopenable && this.#options.reconnect !== false;
  }
  get ended() {
    return this.#state.phase === "ended" ? this.#state.error : void 0;
  }
  /** Rejects with the server's RpcError as it is, or with an ExecServerError when there was no answer. */
  call(method, params, options2 = {}) {
    const work = () => this.#callThroughRecovery(method, params, options2);
    return options2.control === true ? work() : this.#slots.run(work, { signal: waitSignal(options2) });
  }
  /** As `call`, for requests without an error code of their own: a refusal is a `server.rejected`. */
  async ask(method, params, options2 = {}) {
    try {
      return await this.call(method, params, options2);
    } catch (error2) {
      throw error2 instanceof RpcError ? rejected(method, error2) : error2;
    }
  }
  /** As `ask`, with base64 where the result has payloads, in whatever form they came. */
  async askForText(method, params, options2 = {}) {
    const result = await this.ask(method, params, options2);
    payloadsAsText(result, RESULT_PAYLOADS.get(method) ?? []);
    return result;
  }
  /** Sent while there is a connection; what is told anew after a recovery need not be waited for. */
  notify(method, params) {
    if (this.#state.phase === "open") this.#state.connection.peer.notify(method, params);
  }
  /** The only payload of an answer is no longer used: its memory may be. */
  releasePayload(bytes) {
    if (this.#state.phase === "open") this.#state.connection.peer.releasePayload(bytes);
  }
  /** Says goodbye. The server keeps the session for its time-to-live. */
  close() {
    if (this.#state.phase === "ended") return;
    const { connection } = this.#state;
    this.#closing.abort();
    this.#end(
      new ExecServerError("closed", "the client is closed", { details: { operation: "close" } }),
      "closed"
    );
    connection?.peer.close(1e3, "client closed");
  }
  async #callThroughRecovery(method, params, options2) {
    for (let sent = false; ; sent = true) {
      const { peer } = await this.#openConnection(method, waitSignal(options2), sent ? "unknown" : false);
      try {
        const { signal } = options2;
        options2.onSent?.();
        return await peer.call(
          method,
          params,
          signal === void 0 ? {} : { signal }
        );
      } catch (error2) {
        if (!(error2 instanceof RpcTransportError)) throw error2;
        if (error2.code !== "RPC_CLOSED") throw transportError(error2, method, options2.signal);
        await Promise.resolve();
        if (options2.repeatable !== true || !this.canReconnect) throw this.#lost(error2.message, "unknown");
        options2.onRepeat?.();
      }
    }
  }
  async #openConnection(method, signal, admitted) {
    for (; ; ) {
      const state = this.#state;
      if (signal?.aborted === true) throw abortedError(method, signal.reason, admitted);
      switch (state.phase) {
        case "open":
          return state.connection;
        case "ended":
          throw state.error;
        case "recovering":
          await untilSettledOrAborted(state.recovered, signal);
      }
    }
  }
  #watch(connection) {
    void connection.peer.closed.then((close) => {
      if (this.#state.phase === "open" && this.#state.connection === connection) this.#disconnected(close);
    });
  }
  #disconnected(close) {
    const reason = describeClose(close);
    if (!this.canReconnect || close.code === CLOSE_TAKEN_OVER) {
      this.#end(this.#lost(reason, "unknown"), "lost");
      return;
    }
    this.#report({ type: "reconnecting", reason });
    this.#listener.reconnecting();
    const policy2 = this.#options.reconnect === false ? {} : this.#options.reconnect ?? {};
    const recovered = recoverConnection({
      clock: this.clock,
      policy: policy2,
      signal: this.#closing.signal,
      attempt: (remainingMs) => this.#reopen(remainingMs)
    }).then(
      (connection) => this.#reconnected(connection),
      (error2) => {
        const why = error2 instanceof Error ? error2.message : String(error2);
        const loss = this.#opener.lossOf?.(error2, isUnknownSession(error2));
        if (this.#state.phase !== "ended")
          this.#end(this.#lost(`${reason}; ${why}`, "unknown", loss), "lost");
      }
    );
    this.#state = { phase: "recovering", recovered };
  }
  #reopen(remainingMs) {
    const role = this.#role === void 0 ? {} : { role: this.#role };
    const parts = { opener: this.#opener, options: this.#options, listener: this.#listener, ...role };
    const options2 = handshakeOptions(parts, this.sessionId);
    return openConnection({
      ...options2,
      timeoutMs: Math.min(options2.timeoutMs, remainingMs),
      signal: this.#closing.signal
    });
  }
  #reconnected(connection) {
    if (this.#state.phase === "ended") {
      connection.peer.close();
      return;
    }
    this.#state = { phase: "open", connection };
    this.#watch(connection);
    this.#report({ type: "reconnected" });
    this.#listener.reconnected();
  }
  #end(error2, type2) {
    this.#state = { phase: "ended", error: error2 };
    this.#report({ type: type2, reason: error2.message });
    this.#listener.ended(error2);
    this.#opener.close?.();
  }
  #lost(reason, admitted, loss) {
    return new ExecServerError(
      "transport.lost",
      `the connection to ${this.#opener.label} is lost: ${reason}`,
      {
        details: { reason: "connectionLost", sessionId: this.sessionId, ...loss },
        admitted,
        retryable: true,
        hint: "Connect again; what the call did before the loss is not known."
      }
    );
  }
  #report(event) {
    this.#options.onEvent?.(event);
  }
};
function waitSignal({ signal, unsent }) {
  return signal === void 0 || unsent === void 0 ? signal ?? unsent : AbortSignal.any([signal, unsent]);
}
function untilSettledOrAborted(work, signal) {
  if (signal === void 0) return work;
  return new Promise((resolve) => {
    const finish = () => {
      signal.removeEventListener("abort", finish);
      resolve();
    };
    signal.addEventListener("abort", finish, { once: true });
    void work.then(finish);
  });
}

// packages/client/src/exec-server-client.ts
var create;
var ExecServerClient = class {
  fs;
  /** Questions to the people who watch this session. */
  approvals;
  #parts;
  #capabilities;
  #launch;
  static {
    create = (parts) => new this(parts);
  }
  constructor(parts) {
    const { link, registry, watches } = parts;
    this.#parts = parts;
    this.#capabilities = new Capabilities(link.info);
    this.fs = new RemoteFs({
      link,
      capabilities: this.#capabilities,
      watches,
      run: (command, options2) => run2(this.#launch, command, options2)
    });
    this.approvals = new Approvals(link, this.#capabilities);
    this.#launch = {
      link,
      registry,
      capabilities: this.#capabilities,
      readFile: (path) => this.fs.readBytes(path)
    };
  }
  /** Rejects with `transport.connect`, `transport.timeout`, `unsupported` or `aborted`. */
  static async connect(target, options2 = {}) {
    checkConnectOptions(options2);
    const registry = new ProcessRegistry();
    const watches = new WatchRegistry();
    const link = await SessionLink.open(channelOpener(target, options2), options2, {
      onNotification: (notification) => {
        registry.take(notification);
        watches.take(notification);
      },
      reconnecting: () => registry.reconnecting(),
      reconnected: () => {
        registry.reconnected();
        watches.reconnected();
      },
      ended: (error2) => {
        registry.ended(error2);
        watches.ended(error2);
      }
    });
    return create({
      link,
      registry,
      watches,
      defaults: options2.defaults ?? {}
    });
  }
  get sessionId() {
    return this.#parts.link.sessionId;
  }
  /** What the server says about its machine. Paths are as it wrote them. */
  get info() {
    return this.#parts.link.info;
  }
  /** Whether a feature beyond the common ground is there; using one that is not throws `unsupported`. */
  supports(capability) {
    if (capability === "reconnect") return this.#parts.link.canReconnect;
    return this.#capabilities.supports(capability);
  }
  /** Runs to the end. A string is a script for the server's shell; an array is a program with its arguments. */
  run(command, options2 = {}) {
    return run2(this.#launch, command, { ...this.#parts.defaults, ...options2 });
  }
  /** A shell script in which every value is one word, whatever it holds; a list is several words. */
  $(strings, ...values) {
    return this.run(templateScript(strings, values));
  }
  /** The same session with other defaults; closing either closes both. */
  with(defaults) {
    checkSpawnOptions(defaults);
    return create({ ...this.#parts, defaults: { ...this.#parts.defaults, ...defaults } });
  }
  /** Starts a process and resolves when it runs. The handle is not awaitable. */
  async spawn(command, options2 = {}) {
    checkSpawnOptions(options2);
    return spawn4(this.#launch, command, { ...this.#parts.defaults, ...options2 });
  }
  /** Takes up a process of this session: one that was detached, or after connecting with `resume`. */
  async attach(ref, options2 = {}) {
    checkAttachOptions(options2);
    const { processId, afterSeq } = this.#resolveRef(ref);
    return attachProcess(this.#launch, { processId, afterSeq }, options2);
  }
  /**
   * The processes of this session, also those that another client of it started; `attach` takes one up. Needs
   * `process.list`.
   */
  async processes() {
    this.#capabilities.require("process.list", "Listing processes");
    const { processes } = await this.#parts.link.ask("process/list", null, { repeatable: true });
    return processes.map(processEntry);
  }
  /**
   * Any request of the protocol, typed by its name, for what this client has no method for. A refusal is
   * `server.rejected`. It is sent once: when its answer is lost, `admitted` is `unknown`.
   */
  async call(method, params, options2 = {}) {
    checkCallOptions("call", options2);
    return this.#parts.link.askForText(method, params, { signal: options2.signal });
  }
  /** Ends the processes that were not detached and leaves. The server forgets the session after its time-to-live. */
  async close() {
    const { link, registry } = this.#parts;
    if (link.ended === void 0) {
      await Promise.allSettled(
        registry.running().map(async (feed) => {
          feed.stopping({ kind: "terminated" });
          await link.call("process/terminate", { processId: feed.processId }, { control: true });
        })
      );
    }
    link.close();
  }
  async [Symbol.asyncDispose]() {
    await this.close();
  }
  #resolveRef(ref) {
    if (typeof ref === "string") return { processId: ref, afterSeq: 0 };
    if (ref.sessionId !== this.sessionId) {
      throw new ExecServerError("process.unknown", `process ${ref.processId} belongs to another session`, {
        details: { processId: ref.processId },
        hint: "Connect with resume: { sessionId } of the reference first."
      });
    }
    const afterSeq = seqOfCursor(ref.cursor);
    if (afterSeq === void 0) throw invalidArgument("ref", `not a cursor of this client: ${ref.cursor}`);
    return { processId: ref.processId, afterSeq };
  }
};

// tests/bench/subjects/server-process.ts
import { spawn as spawn5 } from "node:child_process";
import { readdirSync, readFileSync as readFileSync4, writeFileSync as writeFileSync3 } from "node:fs";
import { createInterface } from "node:readline";
function plainEnvironment() {
  const names = ["PATH", "HOME", "USER", "LANG", "TMPDIR"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === void 0 ? [] : [[name, value]];
    })
  );
}
var ServerProcess = class _ServerProcess {
  url;
  #command;
  /** From spawn to the printed address. */
  #startupMs;
  #child;
  constructor(command, started) {
    this.#command = command;
    this.url = started.url;
    this.#startupMs = started.startupMs;
    this.#child = started.child;
  }
  static async start(serverCommand) {
    const { name, command, env } = serverCommand;
    const [program = "", ...args] = command;
    const begin = performance.now();
    const child = spawn5(program, args, {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...plainEnvironment(), ...env }
    });
    const url = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("error", reject);
      child.once(
        "exit",
        (code) => reject(new Error(`${name} ended with ${code} before it printed its address`))
      );
    });
    return new _ServerProcess(serverCommand, { url, startupMs: performance.now() - begin, child });
  }
  get pid() {
    return this.#child.pid ?? 0;
  }
  /** Starts and ends another server like this one; returns the time until it had printed its address. */
  async timeAnotherStart() {
    const another = await _ServerProcess.start(this.#command);
    await another.stop();
    return another.#startupMs;
  }
  /** Resident memory in MiB. */
  residentMiB() {
    return this.#statusMiB("VmRSS");
  }
  /** The highest resident memory since `forgetPeak`. */
  peakMiB() {
    return this.#statusMiB("VmHWM");
  }
  forgetPeak() {
    writeFileSync3(`/proc/${this.#child.pid}/clear_refs`, "5");
  }
  /** The server with everything it has started; pages that processes share are counted once. */
  treeMiB() {
    return processTree(this.#child.pid ?? 0).reduce((sum, pid) => sum + proportionalMiB(pid), 0);
  }
  #statusMiB(field) {
    const status = readFileSync4(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  }
  async stop() {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    await ended;
  }
};
function processTree(root) {
  const children = readdirSync(`/proc/${root}/task`).flatMap(
    (thread) => readFileSync4(`/proc/${root}/task/${thread}/children`, "utf8").split(" ").filter(Boolean)
  );
  return [root, ...children.flatMap((pid) => processTree(Number(pid)))];
}
function proportionalMiB(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync4(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
}

// tests/bench/payloads/our-way.ts
function ourWay(name, binaryPayloads, command) {
  return {
    name,
    async open(folder2) {
      const server = await ServerProcess.start({ name, command });
      const client = await ExecServerClient.connect(server.url, { binaryPayloads });
      const target = join7(folder2, "target");
      const fresh = () => rm4(target, { recursive: true, force: true });
      return {
        jobs: {
          "bulk output": () => output(client, BULK_BYTES),
          "long output": () => output(client, LONG_BYTES),
          "bulk input": async () => {
            const process2 = await client.spawn(["sh", "-c", "cat > /dev/null"], { stdin: "pipe" });
            await process2.stdin.write(largeContents());
            await process2.stdin.end();
            await process2.wait();
          },
          "read a large file": async () => {
            const bytes = await client.fs.readBytes(join7(folder2, "large"));
            if (bytes.length !== LARGE_BYTES) throw new Error(`${bytes.length} bytes came`);
          },
          "write a large file": () => client.fs.write(join7(folder2, "written"), largeContents()),
          "upload a large file": () => client.fs.upload(join7(folder2, "large"), join7(folder2, "uploaded")),
          "upload 2,000 files": () => client.fs.upload(join7(folder2, "tree"), target),
          "download 2,000 files": () => client.fs.download(join7(folder2, "tree"), target),
          "remove the target": fresh
        },
        processIds: () => [server.pid],
        async close() {
          await client.close();
          await server.stop();
        }
      };
    }
  };
}
async function output(client, expected) {
  const process2 = await client.spawn(["head", "-c", String(expected), "/dev/zero"]);
  let bytes = 0;
  for await (const event of process2.events()) if (event.type === "output") bytes += event.bytes.length;
  if (bytes !== expected) throw new Error(`${bytes} bytes came`);
}

// tests/bench/payloads/processor-time.ts
import { readdirSync as readdirSync2, readFileSync as readFileSync5 } from "node:fs";
function processorMs(pids) {
  return pids.reduce((sum, pid) => sum + ofProcess(pid), 0);
}
function ofProcess(pid) {
  try {
    const threads = readdirSync2(`/proc/${pid}/task`);
    const times = threads.map((thread) => readFileSync5(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
    return times.reduce((sum, text3) => sum + Number(text3.split(" ")[0]) / 1e6, 0);
  } catch {
    return 0;
  }
}
function treeOf(root) {
  try {
    const children = readdirSync2(`/proc/${root}/task`).flatMap(
      (thread) => readFileSync5(`/proc/${root}/task/${thread}/children`, "utf8").split(" ").filter(Boolean)
    );
    return [root, ...children.flatMap((pid) => treeOf(Number(pid)))];
  } catch {
    return [];
  }
}

// tests/bench/payloads/ssh-way.ts
import { spawn as spawn6 } from "node:child_process";
import { mkdtempSync as mkdtempSync2 } from "node:fs";
import { rm as rm5 } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as join8 } from "node:path";
function sshWay(name) {
  return {
    name,
    async open(folder2) {
      const own = mkdtempSync2(join8(tmpdir(), "bench-ssh-"));
      const host = await SshHost.start(own);
      const quoted = (path) => `'${join8(folder2, path)}'`;
      const target = join8(folder2, "target");
      return {
        jobs: {
          "bulk output": () => host.run(`head -c ${BULK_BYTES} /dev/zero`),
          "long output": () => host.run(`head -c ${LONG_BYTES} /dev/zero`),
          "bulk input": () => host.run("cat > /dev/null", { input: largeContents() }),
          "read a large file": () => host.run(`cat ${quoted("large")}`),
          "write a large file": () => host.run(`cat > ${quoted("written")}`, { input: largeContents() }),
          "upload a large file": () => shell(`${host.commandLine} "cat > ${quoted("uploaded")}" < ${quoted("large")}`),
          "upload 2,000 files": () => shell(
            `tar -C ${quoted("tree")} -cf - . | ${host.commandLine} "mkdir -p ${quoted("target")} && tar -C ${quoted("target")} -xf -"`
          ),
          "download 2,000 files": () => shell(
            `mkdir -p ${quoted("target")} && ${host.commandLine} "tar -C ${quoted("tree")} -cf - ." | tar -C ${quoted("target")} -xf -`
          ),
          "remove the target": () => rm5(target, { recursive: true, force: true })
        },
        processIds: () => [...treeOf(host.daemonPid), host.masterPid()],
        async close() {
          await host.stop();
          await rm5(own, { recursive: true, force: true });
        }
      };
    }
  };
}
function shell(command) {
  return new Promise((resolve, reject) => {
    const child = spawn6("sh", ["-c", command], { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

// tests/bench/payloads/payloads.ts
var { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "4" },
    only: { type: "string" },
    json: { type: "string" },
    /** The server: a built codex.js. */
    program: { type: "string", default: "" }
  }
});
var say = (line) => void process.stderr.write(`${line}
`);
var COMMAND = [process.execPath, options.program, "exec-server", "--listen", "ws://127.0.0.1:0"];
var cache = join9(process.env["XDG_CACHE_HOME"] ?? join9(homedir(), ".cache"), "codex-exec-server-tests");
mkdirSync3(cache, { recursive: true });
var folder = mkdtempSync3(join9(cache, "bench-payloads-"));
layOut(folder);
var JOBS = [
  { name: "bulk output", mebibytes: 64, samplesPerRound: 4 },
  { name: "long output", mebibytes: 512, samplesPerRound: 2 },
  { name: "bulk input", mebibytes: 64, samplesPerRound: 2 },
  { name: "read a large file", mebibytes: 64, samplesPerRound: 4 },
  { name: "write a large file", mebibytes: 64, samplesPerRound: 4 },
  { name: "upload a large file", mebibytes: 64, samplesPerRound: 3 },
  { name: "upload 2,000 files", samplesPerRound: 3 },
  { name: "download 2,000 files", samplesPerRound: 3 }
];
var ways = [ourWay("binary", true, COMMAND), ourWay("text", false, COMMAND)];
if (isSshInstalled(say)) ways.push(sshWay(sshVersion()));
ways.push(nodeWay);
function spentMs(way) {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3 + processorMs(way.processIds());
}
async function takeSample(way, name) {
  const job = way.jobs[name];
  if (job === void 0) return void 0;
  await way.jobs["remove the target"]?.();
  const before = spentMs(way);
  const begin = performance.now();
  await job();
  const ms = performance.now() - begin;
  return { ms, processorMs: spentMs(way) - before };
}
async function takeRound(way, taken) {
  const open2 = await way.open(folder);
  try {
    for (const { job, speed, processor } of taken) {
      for (let count2 = -1; count2 < job.samplesPerRound; count2 += 1) {
        const sample = await takeSample(open2, job.name);
        if (sample === void 0 || count2 < 0) continue;
        const { mebibytes } = job;
        add(speed, way.name, mebibytes === void 0 ? sample.ms : mebibytes * 1048.576 / sample.ms);
        if (mebibytes !== void 0) add(processor, way.name, sample.processorMs / mebibytes);
      }
    }
  } finally {
    await open2.close();
  }
}
function add(samples, column, value) {
  samples.set(column, [...samples.get(column) ?? [], value]);
}
function scenario(name, unit) {
  return { name, unit, samplesPerRound: 1, sample: async () => Number.NaN };
}
try {
  const before = loadavg()[0] ?? 0;
  const rounds = Number(options.rounds);
  const only = options.only?.split(",");
  const jobs = JOBS.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
  const taken = jobs.map((job) => ({ job, speed: /* @__PURE__ */ new Map(), processor: /* @__PURE__ */ new Map() }));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % ways.length;
    for (const way of [...ways.slice(first), ...ways.slice(0, first)]) {
      say(`round ${round + 1} of ${rounds}: ${way.name}`);
      await takeRound(way, taken);
    }
  }
  const measurements = taken.flatMap(({ job, speed, processor }) => [
    { scenario: scenario(job.name, job.mebibytes === void 0 ? "ms" : "MB/s"), samples: speed },
    ...processor.size === 0 ? [] : [{ scenario: scenario(`${job.name}, processor time per MiB`, "ms"), samples: processor }]
  ]);
  const load = { before, after: loadavg()[0] ?? 0 };
  const columns = ways.map(({ name }) => name);
  const report = buildReport(measurements, { columns, peer: null, version: ourVersion(), rounds, load });
  console.log(renderTable(report));
  if (options.json !== void 0) writeFileSync4(options.json, `${JSON.stringify(report, null, 2)}
`);
} finally {
  rmSync2(folder, { recursive: true, force: true });
}
