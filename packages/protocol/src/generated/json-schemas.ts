// Generated from src/schema by scripts/generate.ts. Do not edit.
export type SchemaName =
  | 'Approval'
  | 'ApprovalChoice'
  | 'ApprovalsAskParams'
  | 'ApprovalsAskResult'
  | 'ApprovalsChangedNotification'
  | 'ApprovalsDecideParams'
  | 'ApprovalsDecideResult'
  | 'ApprovalsListResult'
  | 'ApprovalsWithdrawParams'
  | 'CapabilitiesDiscoverV2Params'
  | 'CapabilitiesDiscoverV2Result'
  | 'CapabilityPlugin'
  | 'CapabilityRoot'
  | 'CapabilityRootRequest'
  | 'CapabilityRootsDiscoverParams'
  | 'CapabilityRootsDiscoverResult'
  | 'CapabilitySkill'
  | 'CapabilityTextFile'
  | 'ConsoleCreateTicketParams'
  | 'ConsoleCreateTicketResult'
  | 'ConsoleShareTicketResult'
  | 'ControlResizeParams'
  | 'ControlSignalParams'
  | 'ControlTerminateParams'
  | 'ControlWriteParams'
  | 'DirectStartParams'
  | 'DirectoryEntry'
  | 'EmptyResult'
  | 'EnvPolicy'
  | 'EnvironmentCapabilities'
  | 'EnvironmentConfigLayer'
  | 'EnvironmentConfigReadParams'
  | 'EnvironmentConfigReadResult'
  | 'EnvironmentConfigStack'
  | 'EnvironmentInfo'
  | 'EnvironmentStatus'
  | 'ErrorMessage'
  | 'ExecMetadata'
  | 'FileSystemPermissions'
  | 'FsCanonicalizeParams'
  | 'FsCanonicalizeResult'
  | 'FsChange'
  | 'FsChangedNotification'
  | 'FsCloseParams'
  | 'FsCopyParams'
  | 'FsCreateDirectoryParams'
  | 'FsGetMetadataParams'
  | 'FsGetMetadataResult'
  | 'FsMissingChangedNotification'
  | 'FsOpenParams'
  | 'FsOpenResult'
  | 'FsReadBlockParams'
  | 'FsReadBlockResult'
  | 'FsReadDirectoryParams'
  | 'FsReadDirectoryResult'
  | 'FsReadFileParams'
  | 'FsReadFileResult'
  | 'FsReadTreeParams'
  | 'FsReadTreeResult'
  | 'FsRemoveParams'
  | 'FsRenameParams'
  | 'FsUnwatchParams'
  | 'FsWalkParams'
  | 'FsWalkResult'
  | 'FsWatchMissingParams'
  | 'FsWatchMissingResult'
  | 'FsWatchParams'
  | 'FsWatchResult'
  | 'FsWriteBlockParams'
  | 'FsWriteFileParams'
  | 'FsWriteTreeParams'
  | 'Grant'
  | 'HttpBodyDeltaNotification'
  | 'HttpRequestHeader'
  | 'HttpRequestParams'
  | 'HttpRequestResult'
  | 'HttpResponseHeader'
  | 'InitializeParams'
  | 'InitializeResult'
  | 'InstalledPlugin'
  | 'InstalledPluginSkill'
  | 'InstalledSkill'
  | 'JournalEvent'
  | 'JournalEventsNotification'
  | 'JournalReadParams'
  | 'JournalReadResult'
  | 'JournalSubscribeParams'
  | 'JournalSubscribeResult'
  | 'LegacySandboxPolicy'
  | 'NotificationMessage'
  | 'ObserveAckNotification'
  | 'ObserveCloseParams'
  | 'ObserveClosedNotification'
  | 'ObserveEndedNotification'
  | 'ObserveExitedNotification'
  | 'ObserveGapNotification'
  | 'ObserveOpenParams'
  | 'ObserveOpenResult'
  | 'ObserveOutputNotification'
  | 'ObserveProcessesParams'
  | 'ObserveProcessesResult'
  | 'ObserveReadDirectoryParams'
  | 'ObserveReadFileParams'
  | 'ObserveReadFileResult'
  | 'ObserveReadParams'
  | 'ObserveReadResult'
  | 'ObserveResizedNotification'
  | 'ObserveTreeParams'
  | 'ObserveTreeResult'
  | 'ObservedProcess'
  | 'ObservedSession'
  | 'OmittedEvents'
  | 'OmittedOutput'
  | 'OutputChunk'
  | 'PermissionEntry'
  | 'PermissionPath'
  | 'PermissionProfile'
  | 'PolicyChange'
  | 'PolicyDecision'
  | 'PolicyNode'
  | 'PolicyRule'
  | 'PreparedExecRequest'
  | 'PreparedStartParams'
  | 'ProcessCloseStdinParams'
  | 'ProcessClosedNotification'
  | 'ProcessExitedNotification'
  | 'ProcessFailedNotification'
  | 'ProcessIo'
  | 'ProcessListResult'
  | 'ProcessOutputNotification'
  | 'ProcessReadParams'
  | 'ProcessReadResult'
  | 'ProcessResizeParams'
  | 'ProcessSignal'
  | 'ProcessSignalParams'
  | 'ProcessSnapshotParams'
  | 'ProcessSnapshotResult'
  | 'ProcessStartParams'
  | 'ProcessStartResult'
  | 'ProcessStartedNotification'
  | 'ProcessSummary'
  | 'ProcessTerminateParams'
  | 'ProcessTerminateResult'
  | 'ProcessWaitParams'
  | 'ProcessWaitResult'
  | 'ProcessWriteParams'
  | 'ProcessWriteResult'
  | 'RequestMessage'
  | 'ResponseMessage'
  | 'SandboxContext'
  | 'SandboxDenial'
  | 'SandboxExplainParams'
  | 'SandboxExplainResult'
  | 'SandboxStop'
  | 'SessionInterventionNotification'
  | 'SessionObservedNotification'
  | 'SessionsListResult'
  | 'ShellInfo'
  | 'ShellSnapshot'
  | 'SkillDependencies'
  | 'SkillDiscoveryRoot'
  | 'SkillPolicy'
  | 'SkillToolDependency'
  | 'SkippedTreeEntry'
  | 'SpecialPath'
  | 'TerminalResize'
  | 'TerminateMode'
  | 'TimedChunk'
  | 'TraceContext'
  | 'TreeCursor'
  | 'TreeEntry'
  | 'TreeMember'
  | 'WalkEntry'
  | 'WalkError'
  | 'WalkOptions'
  | 'WireError';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const schemas: Readonly<Record<SchemaName, JsonSchema>> = {
  "Approval": {
    "type": "object",
    "required": [
      "session",
      "approval",
      "title",
      "choices",
      "askedAtMs",
      "expiresAtMs"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "approval": {
        "type": "string"
      },
      "title": {
        "type": "string"
      },
      "argv": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "cwd": {
        "type": [
          "string",
          "null"
        ]
      },
      "reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "sentences": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "choices": {
        "type": "array",
        "items": {
          "$ref": "ApprovalChoice"
        }
      },
      "askedAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "expiresAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "outcome": {
        "anyOf": [
          {
            "$ref": "ApprovalsAskResult"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "Approval"
  },
  "ApprovalChoice": {
    "type": "object",
    "required": [
      "id",
      "label"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "label": {
        "type": "string"
      }
    },
    "$id": "ApprovalChoice"
  },
  "ApprovalsAskParams": {
    "type": "object",
    "required": [
      "id",
      "title"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "title": {
        "type": "string"
      },
      "argv": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "cwd": {
        "type": [
          "string",
          "null"
        ]
      },
      "reason": {
        "type": [
          "string",
          "null"
        ]
      },
      "sentences": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "choices": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "ApprovalChoice"
        }
      },
      "expiresInMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ApprovalsAskParams"
  },
  "ApprovalsAskResult": {
    "type": "object",
    "required": [
      "decision",
      "decided"
    ],
    "properties": {
      "decision": {
        "type": "string"
      },
      "decided": {
        "type": "boolean"
      },
      "by": {
        "type": [
          "string",
          "null"
        ]
      },
      "note": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ApprovalsAskResult"
  },
  "ApprovalsChangedNotification": {
    "type": "object",
    "required": [
      "approval"
    ],
    "properties": {
      "approval": {
        "$ref": "Approval"
      }
    },
    "$id": "ApprovalsChangedNotification"
  },
  "ApprovalsDecideParams": {
    "type": "object",
    "required": [
      "session",
      "approval",
      "decision"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "approval": {
        "type": "string"
      },
      "decision": {
        "type": "string"
      },
      "note": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ApprovalsDecideParams"
  },
  "ApprovalsDecideResult": {
    "type": "object",
    "required": [
      "accepted",
      "outcome"
    ],
    "properties": {
      "accepted": {
        "type": "boolean"
      },
      "outcome": {
        "$ref": "ApprovalsAskResult"
      }
    },
    "$id": "ApprovalsDecideResult"
  },
  "ApprovalsListResult": {
    "type": "object",
    "required": [
      "approvals"
    ],
    "properties": {
      "approvals": {
        "type": "array",
        "items": {
          "$ref": "Approval"
        }
      }
    },
    "$id": "ApprovalsListResult"
  },
  "ApprovalsWithdrawParams": {
    "type": "object",
    "required": [
      "id"
    ],
    "properties": {
      "id": {
        "type": "string"
      }
    },
    "$id": "ApprovalsWithdrawParams"
  },
  "CapabilitiesDiscoverV2Params": {
    "type": "object",
    "required": [
      "cwd"
    ],
    "properties": {
      "cwd": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "CapabilitiesDiscoverV2Params"
  },
  "CapabilitiesDiscoverV2Result": {
    "type": "object",
    "required": [
      "plugins",
      "skills",
      "warnings"
    ],
    "properties": {
      "plugins": {
        "type": "array",
        "items": {
          "$ref": "InstalledPlugin"
        }
      },
      "skills": {
        "type": "array",
        "items": {
          "$ref": "InstalledSkill"
        }
      },
      "warnings": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    },
    "$id": "CapabilitiesDiscoverV2Result"
  },
  "CapabilityPlugin": {
    "type": "object",
    "required": [
      "manifest",
      "mcpConfig",
      "appsConfig"
    ],
    "properties": {
      "manifest": {
        "$ref": "CapabilityTextFile"
      },
      "mcpConfig": {
        "anyOf": [
          {
            "$ref": "CapabilityTextFile"
          },
          {
            "type": "null"
          }
        ]
      },
      "appsConfig": {
        "anyOf": [
          {
            "$ref": "CapabilityTextFile"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "CapabilityPlugin"
  },
  "CapabilityRoot": {
    "type": "object",
    "required": [
      "id",
      "path",
      "plugin",
      "skills",
      "namespaceManifests",
      "warnings",
      "error"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "plugin": {
        "anyOf": [
          {
            "$ref": "CapabilityPlugin"
          },
          {
            "type": "null"
          }
        ]
      },
      "skills": {
        "type": "array",
        "items": {
          "$ref": "CapabilitySkill"
        }
      },
      "namespaceManifests": {
        "type": "array",
        "items": {
          "$ref": "CapabilityTextFile"
        }
      },
      "warnings": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "CapabilityRoot"
  },
  "CapabilityRootRequest": {
    "type": "object",
    "required": [
      "id",
      "path"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "CapabilityRootRequest"
  },
  "CapabilityRootsDiscoverParams": {
    "type": "object",
    "required": [
      "roots"
    ],
    "properties": {
      "roots": {
        "type": "array",
        "items": {
          "$ref": "CapabilityRootRequest"
        }
      }
    },
    "$id": "CapabilityRootsDiscoverParams"
  },
  "CapabilityRootsDiscoverResult": {
    "type": "object",
    "required": [
      "roots"
    ],
    "properties": {
      "roots": {
        "type": "array",
        "items": {
          "$ref": "CapabilityRoot"
        }
      }
    },
    "$id": "CapabilityRootsDiscoverResult"
  },
  "CapabilitySkill": {
    "type": "object",
    "required": [
      "instructions",
      "metadata"
    ],
    "properties": {
      "instructions": {
        "$ref": "CapabilityTextFile"
      },
      "metadata": {
        "anyOf": [
          {
            "$ref": "CapabilityTextFile"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "CapabilitySkill"
  },
  "CapabilityTextFile": {
    "type": "object",
    "required": [
      "path",
      "contents"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "contents": {
        "type": "string"
      }
    },
    "$id": "CapabilityTextFile"
  },
  "ConsoleCreateTicketParams": {
    "type": "object",
    "properties": {
      "grants": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "Grant"
        }
      },
      "ttlMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ConsoleCreateTicketParams"
  },
  "ConsoleCreateTicketResult": {
    "type": "object",
    "required": [
      "ticket",
      "path",
      "expiresAtMs",
      "grants"
    ],
    "properties": {
      "ticket": {
        "type": "string"
      },
      "path": {
        "type": "string"
      },
      "expiresAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "grants": {
        "type": "array",
        "items": {
          "$ref": "Grant"
        }
      }
    },
    "$id": "ConsoleCreateTicketResult"
  },
  "ConsoleShareTicketResult": {
    "type": "object",
    "required": [
      "ticket"
    ],
    "properties": {
      "ticket": {
        "type": "string"
      }
    },
    "$id": "ConsoleShareTicketResult"
  },
  "ControlResizeParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "rows",
      "cols"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      }
    },
    "$id": "ControlResizeParams"
  },
  "ControlSignalParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "signal"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "signal": {
        "$ref": "ProcessSignal"
      }
    },
    "$id": "ControlSignalParams"
  },
  "ControlTerminateParams": {
    "type": "object",
    "required": [
      "session",
      "processId"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "mode": {
        "anyOf": [
          {
            "$ref": "TerminateMode"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ControlTerminateParams"
  },
  "ControlWriteParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "chunk"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "writeId": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ControlWriteParams"
  },
  "DirectStartParams": {
    "type": "object",
    "required": [
      "processId",
      "argv",
      "cwd",
      "env"
    ],
    "properties": {
      "kind": {
        "const": "direct",
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "argv": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "cwd": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "env": {
        "type": "object",
        "additionalProperties": {
          "type": "string"
        }
      },
      "tty": {
        "type": "boolean"
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": [
          "integer",
          "null"
        ]
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": [
          "integer",
          "null"
        ]
      },
      "pipeStdin": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "io": {
        "anyOf": [
          {
            "$ref": "ProcessIo"
          },
          {
            "type": "null"
          }
        ]
      },
      "arg0": {
        "type": [
          "string",
          "null"
        ]
      },
      "metadata": {
        "anyOf": [
          {
            "$ref": "ExecMetadata"
          },
          {
            "type": "null"
          }
        ]
      },
      "envPolicy": {
        "anyOf": [
          {
            "$ref": "EnvPolicy"
          },
          {
            "type": "null"
          }
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      },
      "shellSnapshot": {
        "anyOf": [
          {
            "$ref": "ShellSnapshot"
          },
          {
            "type": "null"
          }
        ]
      },
      "enforceManagedNetwork": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "managedNetwork": {},
      "networkProxy": {}
    },
    "$id": "DirectStartParams"
  },
  "DirectoryEntry": {
    "type": "object",
    "required": [
      "fileName",
      "isDirectory",
      "isFile"
    ],
    "properties": {
      "fileName": {
        "type": "string"
      },
      "isDirectory": {
        "type": "boolean"
      },
      "isFile": {
        "type": "boolean"
      }
    },
    "$id": "DirectoryEntry"
  },
  "EmptyResult": {
    "type": "object",
    "properties": {},
    "$id": "EmptyResult"
  },
  "EnvPolicy": {
    "type": "object",
    "required": [
      "inherit",
      "ignoreDefaultExcludes",
      "exclude",
      "set",
      "includeOnly"
    ],
    "properties": {
      "inherit": {
        "type": "string",
        "enum": [
          "core",
          "all",
          "none"
        ]
      },
      "ignoreDefaultExcludes": {
        "type": "boolean"
      },
      "exclude": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "set": {
        "type": "object",
        "additionalProperties": {
          "type": "string"
        }
      },
      "includeOnly": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    },
    "$id": "EnvPolicy"
  },
  "EnvironmentCapabilities": {
    "type": "object",
    "properties": {
      "networkProxyLaunch": {
        "type": "boolean"
      },
      "networkProxyReviewDomains": {
        "type": "boolean"
      },
      "credentialMasking": {
        "type": "boolean"
      },
      "credentialMaskingCustomProviders": {
        "type": "boolean"
      },
      "capabilityDiscoverySandbox": {
        "type": "boolean"
      },
      "capabilityDiscoveryV2": {
        "type": "boolean"
      },
      "fsWatchMissing": {
        "type": "boolean"
      },
      "environmentConfigRead": {
        "type": "boolean"
      },
      "httpHeaderEnvVars": {
        "type": "boolean"
      },
      "sandboxedFileStreaming": {
        "type": "boolean"
      },
      "fileWriteStreaming": {
        "type": "boolean"
      },
      "shellSnapshotV2": {
        "type": "boolean"
      },
      "windowsMxc": {
        "type": "boolean"
      },
      "linuxRootWritePreservesDevices": {
        "type": "boolean"
      },
      "linuxApprovedRootWritePreservesRestrictions": {
        "type": "boolean"
      },
      "absolutePaths": {
        "type": "boolean"
      },
      "sessionTtl": {
        "type": "boolean"
      },
      "lifecycleNotifications": {
        "type": "boolean"
      },
      "outputGapReport": {
        "type": "boolean"
      },
      "sandboxDenialEvidence": {
        "type": "boolean"
      },
      "sandboxStops": {
        "type": "boolean"
      },
      "processStartIo": {
        "type": "boolean"
      },
      "processStartPrepared": {
        "type": "boolean"
      },
      "processCloseStdin": {
        "type": "boolean"
      },
      "processResize": {
        "type": "boolean"
      },
      "processWait": {
        "type": "boolean"
      },
      "processSnapshot": {
        "type": "boolean"
      },
      "processList": {
        "type": "boolean"
      },
      "processSignalAny": {
        "type": "boolean"
      },
      "processTerminateMode": {
        "type": "boolean"
      },
      "processTerminateTree": {
        "type": "boolean"
      },
      "fsRename": {
        "type": "boolean"
      },
      "fsWatch": {
        "type": "boolean"
      },
      "fsWatchSandbox": {
        "type": "boolean"
      },
      "fsWriteOptions": {
        "type": "boolean"
      },
      "fileTrees": {
        "type": "boolean"
      },
      "binaryPayloads": {
        "type": "boolean"
      },
      "sessionObserve": {
        "type": "boolean"
      },
      "sessionJournal": {
        "type": "boolean"
      },
      "sessionControl": {
        "type": "boolean"
      },
      "sandboxExplain": {
        "type": "boolean"
      },
      "observeFiles": {
        "type": "boolean"
      },
      "approvals": {
        "type": "boolean"
      },
      "consoleTickets": {
        "type": "boolean"
      }
    },
    "$id": "EnvironmentCapabilities"
  },
  "EnvironmentConfigLayer": {
    "type": "object",
    "required": [
      "source",
      "baseDir",
      "toml"
    ],
    "properties": {
      "source": {
        "type": "string"
      },
      "baseDir": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "toml": {
        "type": "string"
      }
    },
    "$id": "EnvironmentConfigLayer"
  },
  "EnvironmentConfigReadParams": {
    "type": "object",
    "required": [
      "cwd",
      "configPaths",
      "requirementsPaths"
    ],
    "properties": {
      "cwd": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "configPaths": {
        "type": "array",
        "items": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "requirementsPaths": {
        "type": "array",
        "items": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      }
    },
    "$id": "EnvironmentConfigReadParams"
  },
  "EnvironmentConfigReadResult": {
    "type": "object",
    "required": [
      "codexHomeDir",
      "config",
      "requirements"
    ],
    "properties": {
      "userHomeDir": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "codexHomeDir": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "hostname": {
        "type": [
          "string",
          "null"
        ]
      },
      "config": {
        "$ref": "EnvironmentConfigStack"
      },
      "requirements": {
        "$ref": "EnvironmentConfigStack"
      }
    },
    "$id": "EnvironmentConfigReadResult"
  },
  "EnvironmentConfigStack": {
    "type": "object",
    "required": [
      "layers",
      "cloudInsertionIndex"
    ],
    "properties": {
      "layers": {
        "type": "array",
        "items": {
          "$ref": "EnvironmentConfigLayer"
        }
      },
      "cloudInsertionIndex": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "EnvironmentConfigStack"
  },
  "EnvironmentInfo": {
    "type": "object",
    "required": [
      "shell"
    ],
    "properties": {
      "shell": {
        "$ref": "ShellInfo"
      },
      "cwd": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "userHomeDir": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "tempDir": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "temporaryDirectories": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "description": "file: URI or absolute path",
          "type": "string"
        }
      },
      "prependPathDirs": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "description": "file: URI or absolute path",
          "type": "string"
        }
      },
      "platformOs": {
        "type": [
          "string",
          "null"
        ]
      },
      "executorVersion": {
        "type": [
          "string",
          "null"
        ]
      },
      "providerId": {
        "type": [
          "string",
          "null"
        ]
      },
      "capabilities": {
        "anyOf": [
          {
            "$ref": "EnvironmentCapabilities"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "EnvironmentInfo"
  },
  "EnvironmentStatus": {
    "type": "object",
    "required": [
      "status"
    ],
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "ready"
        ]
      }
    },
    "$id": "EnvironmentStatus"
  },
  "ErrorMessage": {
    "type": "object",
    "required": [
      "error",
      "id"
    ],
    "properties": {
      "error": {
        "$ref": "WireError"
      },
      "id": {
        "type": [
          "string",
          "integer"
        ]
      }
    },
    "$id": "ErrorMessage"
  },
  "ExecMetadata": {
    "type": "object",
    "properties": {
      "threadId": {
        "type": [
          "string",
          "null"
        ]
      },
      "toolCallId": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ExecMetadata"
  },
  "FileSystemPermissions": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "entries"
        ],
        "properties": {
          "type": {
            "const": "restricted",
            "type": "string"
          },
          "entries": {
            "type": "array",
            "items": {
              "$ref": "PermissionEntry"
            }
          },
          "glob_scan_max_depth": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "type": [
              "integer",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "unrestricted",
            "type": "string"
          }
        }
      }
    ],
    "$id": "FileSystemPermissions"
  },
  "FsCanonicalizeParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsCanonicalizeParams"
  },
  "FsCanonicalizeResult": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      }
    },
    "$id": "FsCanonicalizeResult"
  },
  "FsChange": {
    "type": "object",
    "required": [
      "path",
      "kind"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "kind": {
        "type": "string",
        "enum": [
          "created",
          "modified",
          "removed",
          "renamed"
        ]
      },
      "previousPath": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "FsChange"
  },
  "FsChangedNotification": {
    "type": "object",
    "required": [
      "watchId",
      "changes"
    ],
    "properties": {
      "watchId": {
        "type": "string"
      },
      "changes": {
        "type": "array",
        "items": {
          "$ref": "FsChange"
        }
      },
      "overflow": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "$id": "FsChangedNotification"
  },
  "FsCloseParams": {
    "type": "object",
    "required": [
      "handleId"
    ],
    "properties": {
      "handleId": {
        "type": "string"
      }
    },
    "$id": "FsCloseParams"
  },
  "FsCopyParams": {
    "type": "object",
    "required": [
      "sourcePath",
      "destinationPath",
      "recursive"
    ],
    "properties": {
      "sourcePath": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "destinationPath": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "recursive": {
        "type": "boolean"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsCopyParams"
  },
  "FsCreateDirectoryParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "recursive": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "followSymlinks": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsCreateDirectoryParams"
  },
  "FsGetMetadataParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "followSymlinks": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsGetMetadataParams"
  },
  "FsGetMetadataResult": {
    "type": "object",
    "required": [
      "isDirectory",
      "isFile",
      "isSymlink",
      "size",
      "createdAtMs",
      "modifiedAtMs"
    ],
    "properties": {
      "isDirectory": {
        "type": "boolean"
      },
      "isFile": {
        "type": "boolean"
      },
      "isSymlink": {
        "type": "boolean"
      },
      "size": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "createdAtMs": {
        "minimum": -9007199254740991,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "modifiedAtMs": {
        "minimum": -9007199254740991,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "FsGetMetadataResult"
  },
  "FsMissingChangedNotification": {
    "type": "object",
    "required": [
      "watchId"
    ],
    "properties": {
      "watchId": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "FsMissingChangedNotification"
  },
  "FsOpenParams": {
    "type": "object",
    "required": [
      "handleId",
      "path"
    ],
    "properties": {
      "handleId": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "mode": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "read",
          "replace",
          null
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsOpenParams"
  },
  "FsOpenResult": {
    "type": "object",
    "required": [
      "handleId"
    ],
    "properties": {
      "handleId": {
        "type": "string"
      }
    },
    "$id": "FsOpenResult"
  },
  "FsReadBlockParams": {
    "type": "object",
    "required": [
      "handleId",
      "offset",
      "len"
    ],
    "properties": {
      "handleId": {
        "type": "string"
      },
      "offset": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "len": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": "integer"
      }
    },
    "$id": "FsReadBlockParams"
  },
  "FsReadBlockResult": {
    "type": "object",
    "required": [
      "chunk",
      "eof"
    ],
    "properties": {
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "eof": {
        "type": "boolean"
      }
    },
    "$id": "FsReadBlockResult"
  },
  "FsReadDirectoryParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsReadDirectoryParams"
  },
  "FsReadDirectoryResult": {
    "type": "object",
    "required": [
      "entries"
    ],
    "properties": {
      "entries": {
        "type": "array",
        "items": {
          "$ref": "DirectoryEntry"
        }
      }
    },
    "$id": "FsReadDirectoryResult"
  },
  "FsReadFileParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "followSymlinks": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsReadFileParams"
  },
  "FsReadFileResult": {
    "type": "object",
    "required": [
      "dataBase64"
    ],
    "properties": {
      "dataBase64": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "FsReadFileResult"
  },
  "FsReadTreeParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "exclude": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "after": {
        "anyOf": [
          {
            "$ref": "TreeCursor"
          },
          {
            "type": "null"
          }
        ]
      },
      "enoughBytes": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": [
          "integer",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsReadTreeParams"
  },
  "FsReadTreeResult": {
    "type": "object",
    "required": [
      "entries",
      "skipped",
      "next",
      "dataBase64"
    ],
    "properties": {
      "entries": {
        "type": "array",
        "items": {
          "$ref": "TreeEntry"
        }
      },
      "skipped": {
        "type": "array",
        "items": {
          "$ref": "SkippedTreeEntry"
        }
      },
      "next": {
        "anyOf": [
          {
            "$ref": "TreeCursor"
          },
          {
            "type": "null"
          }
        ]
      },
      "dataBase64": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "FsReadTreeResult"
  },
  "FsRemoveParams": {
    "type": "object",
    "required": [
      "path"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "recursive": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "force": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "followSymlinks": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsRemoveParams"
  },
  "FsRenameParams": {
    "type": "object",
    "required": [
      "sourcePath",
      "destinationPath"
    ],
    "properties": {
      "sourcePath": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "destinationPath": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "overwrite": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsRenameParams"
  },
  "FsUnwatchParams": {
    "type": "object",
    "required": [
      "watchId"
    ],
    "properties": {
      "watchId": {
        "type": "string"
      }
    },
    "$id": "FsUnwatchParams"
  },
  "FsWalkParams": {
    "type": "object",
    "required": [
      "path",
      "options"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "options": {
        "$ref": "WalkOptions"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsWalkParams"
  },
  "FsWalkResult": {
    "type": "object",
    "required": [
      "entries",
      "errors",
      "truncated"
    ],
    "properties": {
      "entries": {
        "type": "array",
        "items": {
          "$ref": "WalkEntry"
        }
      },
      "errors": {
        "type": "array",
        "items": {
          "$ref": "WalkError"
        }
      },
      "truncated": {
        "type": "boolean"
      }
    },
    "$id": "FsWalkResult"
  },
  "FsWatchMissingParams": {
    "type": "object",
    "required": [
      "watchId",
      "missing"
    ],
    "properties": {
      "watchId": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "missing": {
        "type": "array",
        "items": {
          "description": "file: URI or absolute path",
          "type": "string"
        }
      },
      "present": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsWatchMissingParams"
  },
  "FsWatchMissingResult": {
    "type": "object",
    "required": [
      "watching"
    ],
    "properties": {
      "watching": {
        "type": "boolean"
      }
    },
    "$id": "FsWatchMissingResult"
  },
  "FsWatchParams": {
    "type": "object",
    "required": [
      "watchId",
      "path"
    ],
    "properties": {
      "watchId": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "recursive": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsWatchParams"
  },
  "FsWatchResult": {
    "type": "object",
    "required": [
      "watchId"
    ],
    "properties": {
      "watchId": {
        "type": "string"
      }
    },
    "$id": "FsWatchResult"
  },
  "FsWriteBlockParams": {
    "type": "object",
    "required": [
      "handleId",
      "offset",
      "chunk"
    ],
    "properties": {
      "handleId": {
        "type": "string"
      },
      "offset": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "FsWriteBlockParams"
  },
  "FsWriteFileParams": {
    "type": "object",
    "required": [
      "path",
      "dataBase64"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "dataBase64": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "followSymlinks": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "atomic": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "append": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "exclusive": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "mode": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": [
          "integer",
          "null"
        ]
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsWriteFileParams"
  },
  "FsWriteTreeParams": {
    "type": "object",
    "required": [
      "path",
      "entries",
      "dataBase64"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "entries": {
        "type": "array",
        "items": {
          "$ref": "TreeEntry"
        }
      },
      "dataBase64": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "sandbox": {
        "anyOf": [
          {
            "$ref": "SandboxContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "FsWriteTreeParams"
  },
  "Grant": {
    "type": "string",
    "enum": [
      "own",
      "observe",
      "denials",
      "files",
      "stop",
      "type",
      "approve"
    ],
    "$id": "Grant"
  },
  "HttpBodyDeltaNotification": {
    "type": "object",
    "required": [
      "requestId",
      "seq",
      "deltaBase64",
      "done"
    ],
    "properties": {
      "requestId": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "deltaBase64": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "done": {
        "type": "boolean"
      },
      "error": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "HttpBodyDeltaNotification"
  },
  "HttpRequestHeader": {
    "type": "object",
    "required": [
      "name",
      "value"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "value": {
        "type": "string"
      },
      "valueEnvVar": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "HttpRequestHeader"
  },
  "HttpRequestParams": {
    "type": "object",
    "required": [
      "method",
      "url",
      "requestId"
    ],
    "properties": {
      "method": {
        "type": "string"
      },
      "url": {
        "type": "string"
      },
      "headers": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "HttpRequestHeader"
        }
      },
      "bodyBase64": {
        "contentEncoding": "base64",
        "type": [
          "string",
          "null"
        ]
      },
      "timeoutMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "redirectPolicy": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "follow",
          "stop",
          null
        ]
      },
      "requestId": {
        "type": "string"
      },
      "streamResponse": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "$id": "HttpRequestParams"
  },
  "HttpRequestResult": {
    "type": "object",
    "required": [
      "status",
      "headers",
      "bodyBase64"
    ],
    "properties": {
      "status": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      },
      "headers": {
        "type": "array",
        "items": {
          "$ref": "HttpResponseHeader"
        }
      },
      "bodyBase64": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "HttpRequestResult"
  },
  "HttpResponseHeader": {
    "type": "object",
    "required": [
      "name",
      "value"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "value": {
        "type": "string"
      }
    },
    "$id": "HttpResponseHeader"
  },
  "InitializeParams": {
    "type": "object",
    "required": [
      "clientName"
    ],
    "properties": {
      "clientName": {
        "type": "string"
      },
      "resumeSessionId": {
        "type": [
          "string",
          "null"
        ]
      },
      "sessionTtlMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "lifecycleNotifications": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "role": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "owner",
          "observer",
          null
        ]
      },
      "interventions": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "binaryPayloads": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "$id": "InitializeParams"
  },
  "InitializeResult": {
    "type": "object",
    "required": [
      "sessionId"
    ],
    "properties": {
      "sessionId": {
        "type": "string"
      },
      "environmentInfo": {
        "anyOf": [
          {
            "$ref": "EnvironmentInfo"
          },
          {
            "type": "null"
          }
        ]
      },
      "grants": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "Grant"
        }
      },
      "reconnectToken": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "InitializeResult"
  },
  "InstalledPlugin": {
    "type": "object",
    "required": [
      "id",
      "displayName",
      "remotePluginId",
      "version",
      "root",
      "files",
      "skills"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "displayName": {
        "type": "string"
      },
      "remotePluginId": {
        "type": [
          "string",
          "null"
        ]
      },
      "version": {
        "type": "string"
      },
      "root": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "files": {
        "$ref": "CapabilityPlugin"
      },
      "skills": {
        "type": "array",
        "items": {
          "$ref": "InstalledPluginSkill"
        }
      }
    },
    "$id": "InstalledPlugin"
  },
  "InstalledPluginSkill": {
    "type": "object",
    "required": [
      "name",
      "description",
      "shortDescription",
      "path",
      "dependencies",
      "policy"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "description": {
        "type": "string"
      },
      "shortDescription": {
        "type": [
          "string",
          "null"
        ]
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "dependencies": {
        "anyOf": [
          {
            "$ref": "SkillDependencies"
          },
          {
            "type": "null"
          }
        ]
      },
      "policy": {
        "anyOf": [
          {
            "$ref": "SkillPolicy"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "InstalledPluginSkill"
  },
  "InstalledSkill": {
    "type": "object",
    "required": [
      "name",
      "description",
      "shortDescription",
      "path",
      "dependencies",
      "policy",
      "discoveryRoot"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "description": {
        "type": "string"
      },
      "shortDescription": {
        "type": [
          "string",
          "null"
        ]
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "dependencies": {
        "anyOf": [
          {
            "$ref": "SkillDependencies"
          },
          {
            "type": "null"
          }
        ]
      },
      "policy": {
        "anyOf": [
          {
            "$ref": "SkillPolicy"
          },
          {
            "type": "null"
          }
        ]
      },
      "discoveryRoot": {
        "$ref": "SkillDiscoveryRoot"
      }
    },
    "$id": "InstalledSkill"
  },
  "JournalEvent": {
    "type": "object",
    "discriminator": {
      "propertyName": "kind"
    },
    "required": [
      "kind"
    ],
    "oneOf": [
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "clientName",
          "identity"
        ],
        "properties": {
          "kind": {
            "const": "sessionOpened",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "clientName": {
            "type": "string"
          },
          "identity": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "expiresAtMs"
        ],
        "properties": {
          "kind": {
            "const": "sessionAway",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "expiresAtMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "clientName",
          "awayMs",
          "takenOver"
        ],
        "properties": {
          "kind": {
            "const": "sessionResumed",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "clientName": {
            "type": "string"
          },
          "awayMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "takenOver": {
            "type": "boolean"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "reason"
        ],
        "properties": {
          "kind": {
            "const": "sessionEnded",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "reason": {
            "type": "string",
            "enum": [
              "left",
              "expired",
              "shutdown"
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId",
          "pid",
          "argv",
          "cwd",
          "tty",
          "sandboxType"
        ],
        "properties": {
          "kind": {
            "const": "processStarted",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          },
          "pid": {
            "minimum": 0,
            "maximum": 4294967295,
            "type": "integer"
          },
          "argv": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "cwd": {
            "type": "string"
          },
          "tty": {
            "type": "boolean"
          },
          "rows": {
            "minimum": 0,
            "maximum": 65535,
            "type": [
              "integer",
              "null"
            ]
          },
          "cols": {
            "minimum": 0,
            "maximum": 65535,
            "type": [
              "integer",
              "null"
            ]
          },
          "sandboxType": {
            "type": "string",
            "enum": [
              "none",
              "macosSeatbelt",
              "linuxSeccomp",
              "windowsRestrictedToken"
            ]
          },
          "metadata": {
            "anyOf": [
              {
                "$ref": "ExecMetadata"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId",
          "argv",
          "cwd",
          "reason"
        ],
        "properties": {
          "kind": {
            "const": "processRefused",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          },
          "argv": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "cwd": {
            "type": "string"
          },
          "reason": {
            "type": "string"
          },
          "metadata": {
            "anyOf": [
              {
                "$ref": "ExecMetadata"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId",
          "exitCode",
          "durationMs",
          "sandboxDenied"
        ],
        "properties": {
          "kind": {
            "const": "processExited",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          },
          "exitCode": {
            "minimum": -2147483648,
            "maximum": 2147483647,
            "type": "integer"
          },
          "durationMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "sandboxDenied": {
            "type": "boolean"
          },
          "denial": {
            "anyOf": [
              {
                "$ref": "SandboxDenial"
              },
              {
                "type": "null"
              }
            ]
          },
          "stopped": {
            "anyOf": [
              {
                "$ref": "SandboxStop"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId",
          "reason"
        ],
        "properties": {
          "kind": {
            "const": "processLost",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          },
          "reason": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId"
        ],
        "properties": {
          "kind": {
            "const": "processClosed",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId"
        ],
        "properties": {
          "kind": {
            "const": "processGone",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId"
        ],
        "properties": {
          "kind": {
            "const": "processStalled",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId"
        ],
        "properties": {
          "kind": {
            "const": "processFlowing",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "by"
        ],
        "properties": {
          "kind": {
            "const": "ticketShared",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "by": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "reason"
        ],
        "properties": {
          "kind": {
            "const": "connectionRefused",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "remoteAddress": {
            "type": [
              "string",
              "null"
            ]
          },
          "reason": {
            "type": "string"
          },
          "times": {
            "minimum": 0,
            "maximum": 4294967295,
            "type": [
              "integer",
              "null"
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "observer",
          "identity",
          "clientName",
          "grants"
        ],
        "properties": {
          "kind": {
            "const": "observerCame",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "observer": {
            "minimum": 0,
            "maximum": 4294967295,
            "type": "integer"
          },
          "identity": {
            "type": "string"
          },
          "clientName": {
            "type": "string"
          },
          "grants": {
            "type": "array",
            "items": {
              "$ref": "Grant"
            }
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "observer"
        ],
        "properties": {
          "kind": {
            "const": "observerLeft",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "observer": {
            "minimum": 0,
            "maximum": 4294967295,
            "type": "integer"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "processId",
          "what",
          "by",
          "observer"
        ],
        "properties": {
          "kind": {
            "const": "intervention",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "processId": {
            "type": "string"
          },
          "what": {
            "type": "string",
            "enum": [
              "signal",
              "terminate",
              "write",
              "resize"
            ]
          },
          "by": {
            "type": "string"
          },
          "observer": {
            "minimum": 0,
            "maximum": 4294967295,
            "type": "integer"
          },
          "detail": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "approval",
          "title"
        ],
        "properties": {
          "kind": {
            "const": "approvalAsked",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "approval": {
            "type": "string"
          },
          "title": {
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "session",
          "approval",
          "decision"
        ],
        "properties": {
          "kind": {
            "const": "approvalEnded",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "session": {
            "type": "string"
          },
          "approval": {
            "type": "string"
          },
          "decision": {
            "type": "string"
          },
          "by": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "by",
          "grants",
          "expiresAtMs"
        ],
        "properties": {
          "kind": {
            "const": "ticketCreated",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "by": {
            "type": "string"
          },
          "grants": {
            "type": "array",
            "items": {
              "$ref": "Grant"
            }
          },
          "expiresAtMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "kind",
          "seq",
          "atMs",
          "by"
        ],
        "properties": {
          "kind": {
            "const": "ticketSpent",
            "type": "string"
          },
          "seq": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "atMs": {
            "minimum": 0,
            "maximum": 9007199254740991,
            "type": "integer"
          },
          "by": {
            "type": "string"
          },
          "remoteAddress": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      }
    ],
    "$id": "JournalEvent"
  },
  "JournalEventsNotification": {
    "type": "object",
    "required": [
      "events"
    ],
    "properties": {
      "events": {
        "type": "array",
        "items": {
          "$ref": "JournalEvent"
        }
      },
      "omitted": {
        "anyOf": [
          {
            "$ref": "OmittedEvents"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "JournalEventsNotification"
  },
  "JournalReadParams": {
    "type": "object",
    "properties": {
      "afterSeq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "waitMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "maxEvents": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "session": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "JournalReadParams"
  },
  "JournalReadResult": {
    "type": "object",
    "required": [
      "events",
      "nextSeq"
    ],
    "properties": {
      "events": {
        "type": "array",
        "items": {
          "$ref": "JournalEvent"
        }
      },
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "omitted": {
        "anyOf": [
          {
            "$ref": "OmittedEvents"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "JournalReadResult"
  },
  "JournalSubscribeParams": {
    "type": "object",
    "properties": {
      "afterSeq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "session": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "JournalSubscribeParams"
  },
  "JournalSubscribeResult": {
    "type": "object",
    "required": [
      "nextSeq"
    ],
    "properties": {
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "JournalSubscribeResult"
  },
  "LegacySandboxPolicy": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "danger-full-access",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "read-only",
            "type": "string"
          },
          "network_access": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "external-sandbox",
            "type": "string"
          },
          "network_access": {
            "type": [
              "string",
              "null"
            ],
            "enum": [
              "restricted",
              "enabled",
              null
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "workspace-write",
            "type": "string"
          },
          "writable_roots": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "description": "file: URI or absolute path",
              "type": "string"
            }
          },
          "network_access": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "exclude_tmpdir_env_var": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "exclude_slash_tmp": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "dangerFullAccess",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "readOnly",
            "type": "string"
          },
          "networkAccess": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "externalSandbox",
            "type": "string"
          },
          "networkAccess": {
            "type": [
              "string",
              "null"
            ],
            "enum": [
              "restricted",
              "enabled",
              null
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "workspaceWrite",
            "type": "string"
          },
          "writableRoots": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "description": "file: URI or absolute path",
              "type": "string"
            }
          },
          "networkAccess": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "excludeTmpdirEnvVar": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "excludeSlashTmp": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      }
    ],
    "$id": "LegacySandboxPolicy"
  },
  "NotificationMessage": {
    "type": "object",
    "required": [
      "method"
    ],
    "properties": {
      "method": {
        "type": "string"
      },
      "params": {}
    },
    "$id": "NotificationMessage"
  },
  "ObserveAckNotification": {
    "type": "object",
    "required": [
      "watch",
      "seq"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": "integer"
      }
    },
    "$id": "ObserveAckNotification"
  },
  "ObserveCloseParams": {
    "type": "object",
    "required": [
      "watch"
    ],
    "properties": {
      "watch": {
        "type": "string"
      }
    },
    "$id": "ObserveCloseParams"
  },
  "ObserveClosedNotification": {
    "type": "object",
    "required": [
      "watch",
      "seq",
      "atMs"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "ObserveClosedNotification"
  },
  "ObserveEndedNotification": {
    "type": "object",
    "required": [
      "watch",
      "reason"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "reason": {
        "type": "string",
        "enum": [
          "complete",
          "forgotten",
          "sessionEnded"
        ]
      }
    },
    "$id": "ObserveEndedNotification"
  },
  "ObserveExitedNotification": {
    "type": "object",
    "required": [
      "watch",
      "seq",
      "atMs",
      "exitCode",
      "sandboxDenied"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": "integer"
      },
      "sandboxDenied": {
        "type": "boolean"
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "stopped": {
        "anyOf": [
          {
            "$ref": "SandboxStop"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ObserveExitedNotification"
  },
  "ObserveGapNotification": {
    "type": "object",
    "required": [
      "watch",
      "fromSeq",
      "toSeq",
      "bytes",
      "why"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "fromSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "toSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "bytes": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "why": {
        "type": "string",
        "enum": [
          "evicted",
          "skipped"
        ]
      }
    },
    "$id": "ObserveGapNotification"
  },
  "ObserveOpenParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "watch"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "watch": {
        "type": "string"
      },
      "fromSeq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "tailBytes": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "mode": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "complete",
          "latest",
          null
        ]
      },
      "windowBytes": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ObserveOpenParams"
  },
  "ObserveOpenResult": {
    "type": "object",
    "required": [
      "process",
      "fromSeq",
      "firstSeq",
      "nextSeq",
      "windowBytes"
    ],
    "properties": {
      "process": {
        "$ref": "ProcessSummary"
      },
      "fromSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "firstSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "windowBytes": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "size": {
        "anyOf": [
          {
            "$ref": "TerminalResize"
          },
          {
            "type": "null"
          }
        ]
      },
      "omitted": {
        "anyOf": [
          {
            "$ref": "OmittedOutput"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ObserveOpenResult"
  },
  "ObserveOutputNotification": {
    "type": "object",
    "required": [
      "watch",
      "seq",
      "atMs",
      "stream",
      "chunk"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "stream": {
        "type": "string",
        "enum": [
          "stdout",
          "stderr",
          "pty"
        ]
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "ObserveOutputNotification"
  },
  "ObserveProcessesParams": {
    "type": "object",
    "properties": {
      "session": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ObserveProcessesParams"
  },
  "ObserveProcessesResult": {
    "type": "object",
    "required": [
      "processes",
      "omitted"
    ],
    "properties": {
      "processes": {
        "type": "array",
        "items": {
          "$ref": "ObservedProcess"
        }
      },
      "omitted": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      }
    },
    "$id": "ObserveProcessesResult"
  },
  "ObserveReadDirectoryParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "path"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      }
    },
    "$id": "ObserveReadDirectoryParams"
  },
  "ObserveReadFileParams": {
    "type": "object",
    "required": [
      "session",
      "processId",
      "path"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "offset": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": [
          "integer",
          "null"
        ]
      },
      "maxBytes": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ObserveReadFileParams"
  },
  "ObserveReadFileResult": {
    "type": "object",
    "required": [
      "chunk",
      "size",
      "eof"
    ],
    "properties": {
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "size": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "eof": {
        "type": "boolean"
      }
    },
    "$id": "ObserveReadFileResult"
  },
  "ObserveReadParams": {
    "type": "object",
    "required": [
      "session",
      "processId"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "afterSeq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "maxBytes": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ObserveReadParams"
  },
  "ObserveReadResult": {
    "type": "object",
    "required": [
      "chunks",
      "nextSeq",
      "firstSeq",
      "endSeq",
      "exited",
      "exitCode",
      "closed",
      "sizes"
    ],
    "properties": {
      "chunks": {
        "type": "array",
        "items": {
          "$ref": "TimedChunk"
        }
      },
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "firstSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "endSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "exited": {
        "type": "boolean"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": [
          "integer",
          "null"
        ]
      },
      "closed": {
        "type": "boolean"
      },
      "sizes": {
        "type": "array",
        "items": {
          "$ref": "TerminalResize"
        }
      },
      "omitted": {
        "anyOf": [
          {
            "$ref": "OmittedOutput"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ObserveReadResult"
  },
  "ObserveResizedNotification": {
    "type": "object",
    "required": [
      "watch",
      "seq",
      "atMs",
      "rows",
      "cols"
    ],
    "properties": {
      "watch": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      }
    },
    "$id": "ObserveResizedNotification"
  },
  "ObserveTreeParams": {
    "type": "object",
    "required": [
      "session",
      "processId"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      }
    },
    "$id": "ObserveTreeParams"
  },
  "ObserveTreeResult": {
    "type": "object",
    "required": [
      "known",
      "members",
      "omitted"
    ],
    "properties": {
      "known": {
        "type": "boolean"
      },
      "members": {
        "type": "array",
        "items": {
          "$ref": "TreeMember"
        }
      },
      "omitted": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      }
    },
    "$id": "ObserveTreeResult"
  },
  "ObservedProcess": {
    "type": "object",
    "required": [
      "session",
      "process"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "process": {
        "$ref": "ProcessSummary"
      },
      "past": {
        "type": [
          "object",
          "null"
        ],
        "required": [
          "clientName",
          "identity"
        ],
        "properties": {
          "clientName": {
            "type": "string"
          },
          "identity": {
            "type": "string"
          }
        }
      }
    },
    "$id": "ObservedProcess"
  },
  "ObservedSession": {
    "type": "object",
    "required": [
      "session",
      "clientName",
      "identity",
      "state",
      "openedAtMs",
      "sinceMs",
      "processes",
      "running",
      "stalled",
      "observers"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "clientName": {
        "type": "string"
      },
      "identity": {
        "type": "string"
      },
      "state": {
        "type": "string",
        "enum": [
          "attached",
          "away",
          "ending"
        ]
      },
      "openedAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "sinceMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "expiresAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": [
          "integer",
          "null"
        ]
      },
      "processes": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "running": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "stalled": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "observers": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      }
    },
    "$id": "ObservedSession"
  },
  "OmittedEvents": {
    "type": "object",
    "required": [
      "fromSeq",
      "toSeq"
    ],
    "properties": {
      "fromSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "toSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "OmittedEvents"
  },
  "OmittedOutput": {
    "type": "object",
    "required": [
      "fromSeq",
      "toSeq",
      "bytes"
    ],
    "properties": {
      "fromSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "toSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "bytes": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "OmittedOutput"
  },
  "OutputChunk": {
    "type": "object",
    "required": [
      "seq",
      "stream",
      "chunk"
    ],
    "properties": {
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "stream": {
        "type": "string",
        "enum": [
          "stdout",
          "stderr",
          "pty"
        ]
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "OutputChunk"
  },
  "PermissionEntry": {
    "additionalProperties": false,
    "type": "object",
    "required": [
      "path",
      "access"
    ],
    "properties": {
      "path": {
        "$ref": "PermissionPath"
      },
      "access": {
        "type": "string",
        "enum": [
          "read",
          "write",
          "deny",
          "none"
        ]
      },
      "missing_path_behavior": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "skip",
          null
        ]
      }
    },
    "$id": "PermissionEntry"
  },
  "PermissionPath": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "path"
        ],
        "properties": {
          "type": {
            "const": "path",
            "type": "string"
          },
          "path": {
            "description": "file: URI or absolute path",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "pattern"
        ],
        "properties": {
          "type": {
            "const": "glob_pattern",
            "type": "string"
          },
          "pattern": {
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "value"
        ],
        "properties": {
          "type": {
            "const": "special",
            "type": "string"
          },
          "value": {
            "$ref": "SpecialPath"
          }
        }
      }
    ],
    "$id": "PermissionPath"
  },
  "PermissionProfile": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "file_system",
          "network"
        ],
        "properties": {
          "type": {
            "const": "managed",
            "type": "string"
          },
          "file_system": {
            "$ref": "FileSystemPermissions"
          },
          "network": {
            "type": "string",
            "enum": [
              "restricted",
              "enabled"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "disabled",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "network"
        ],
        "properties": {
          "type": {
            "const": "external",
            "type": "string"
          },
          "network": {
            "type": "string",
            "enum": [
              "restricted",
              "enabled"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "danger-full-access",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "read-only",
            "type": "string"
          },
          "network_access": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "external-sandbox",
            "type": "string"
          },
          "network_access": {
            "type": [
              "string",
              "null"
            ],
            "enum": [
              "restricted",
              "enabled",
              null
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "workspace-write",
            "type": "string"
          },
          "writable_roots": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "description": "file: URI or absolute path",
              "type": "string"
            }
          },
          "network_access": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "exclude_tmpdir_env_var": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "exclude_slash_tmp": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "dangerFullAccess",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "readOnly",
            "type": "string"
          },
          "networkAccess": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "externalSandbox",
            "type": "string"
          },
          "networkAccess": {
            "type": [
              "string",
              "null"
            ],
            "enum": [
              "restricted",
              "enabled",
              null
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "workspaceWrite",
            "type": "string"
          },
          "writableRoots": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "description": "file: URI or absolute path",
              "type": "string"
            }
          },
          "networkAccess": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "excludeTmpdirEnvVar": {
            "type": [
              "boolean",
              "null"
            ]
          },
          "excludeSlashTmp": {
            "type": [
              "boolean",
              "null"
            ]
          }
        }
      }
    ],
    "$id": "PermissionProfile"
  },
  "PolicyChange": {
    "type": "object",
    "required": [
      "access",
      "sentence"
    ],
    "properties": {
      "access": {
        "type": "string",
        "enum": [
          "read",
          "write",
          "network"
        ]
      },
      "add": {
        "anyOf": [
          {
            "$ref": "PermissionEntry"
          },
          {
            "type": "null"
          }
        ]
      },
      "remove": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "sentence": {
        "type": "string"
      }
    },
    "$id": "PolicyChange"
  },
  "PolicyDecision": {
    "type": "object",
    "required": [
      "path",
      "read",
      "write",
      "decidedBy",
      "sentence"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "read": {
        "type": "boolean"
      },
      "write": {
        "type": "boolean"
      },
      "decidedBy": {
        "type": "string",
        "enum": [
          "rule",
          "glob",
          "readOnlyName",
          "systemDirectories",
          "nothing",
          "unrestricted"
        ]
      },
      "rule": {
        "anyOf": [
          {
            "$ref": "PolicyRule"
          },
          {
            "type": "null"
          }
        ]
      },
      "glob": {
        "type": [
          "string",
          "null"
        ]
      },
      "readOnlyName": {
        "type": [
          "string",
          "null"
        ]
      },
      "sentence": {
        "type": "string"
      }
    },
    "$id": "PolicyDecision"
  },
  "PolicyNode": {
    "type": "object",
    "required": [
      "path",
      "access",
      "children"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "access": {
        "type": "string",
        "enum": [
          "read",
          "write",
          "deny"
        ]
      },
      "readOnlyNames": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "type": "string"
        }
      },
      "children": {
        "type": "array",
        "items": {
          "minimum": 0,
          "type": "integer"
        }
      }
    },
    "$id": "PolicyNode"
  },
  "PolicyRule": {
    "type": "object",
    "required": [
      "path",
      "access"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "access": {
        "type": "string",
        "enum": [
          "read",
          "write",
          "deny"
        ]
      }
    },
    "$id": "PolicyRule"
  },
  "PreparedExecRequest": {
    "type": "object",
    "required": [
      "argv",
      "cwd",
      "env"
    ],
    "properties": {
      "argv": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "cwd": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "env": {
        "type": "object",
        "additionalProperties": {
          "type": "string"
        }
      },
      "arg0": {
        "type": [
          "string",
          "null"
        ]
      },
      "sandboxType": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "none",
          "macosSeatbelt",
          "linuxSeccomp",
          "windowsRestrictedToken",
          null
        ]
      }
    },
    "$id": "PreparedExecRequest"
  },
  "PreparedStartParams": {
    "type": "object",
    "required": [
      "kind",
      "processId",
      "request",
      "io"
    ],
    "properties": {
      "kind": {
        "const": "prepared",
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "request": {
        "$ref": "PreparedExecRequest"
      },
      "io": {
        "$ref": "ProcessIo"
      },
      "metadata": {
        "anyOf": [
          {
            "$ref": "ExecMetadata"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "PreparedStartParams"
  },
  "ProcessCloseStdinParams": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      }
    },
    "$id": "ProcessCloseStdinParams"
  },
  "ProcessClosedNotification": {
    "type": "object",
    "required": [
      "processId",
      "seq"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "ProcessClosedNotification"
  },
  "ProcessExitedNotification": {
    "type": "object",
    "required": [
      "processId",
      "seq",
      "exitCode"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": "integer"
      },
      "sandboxDenied": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "stopped": {
        "anyOf": [
          {
            "$ref": "SandboxStop"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ProcessExitedNotification"
  },
  "ProcessFailedNotification": {
    "type": "object",
    "required": [
      "processId",
      "message"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "message": {
        "type": "string"
      }
    },
    "$id": "ProcessFailedNotification"
  },
  "ProcessIo": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "type": "object",
        "required": [
          "type",
          "rows",
          "cols"
        ],
        "properties": {
          "type": {
            "const": "pty",
            "type": "string"
          },
          "rows": {
            "minimum": 0,
            "maximum": 65535,
            "type": "integer"
          },
          "cols": {
            "minimum": 0,
            "maximum": 65535,
            "type": "integer"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "type",
          "stdin"
        ],
        "properties": {
          "type": {
            "const": "pipe",
            "type": "string"
          },
          "stdin": {
            "type": "string",
            "enum": [
              "open",
              "closed"
            ]
          }
        }
      }
    ],
    "$id": "ProcessIo"
  },
  "ProcessListResult": {
    "type": "object",
    "required": [
      "processes"
    ],
    "properties": {
      "processes": {
        "type": "array",
        "items": {
          "$ref": "ProcessSummary"
        }
      }
    },
    "$id": "ProcessListResult"
  },
  "ProcessOutputNotification": {
    "type": "object",
    "required": [
      "processId",
      "seq",
      "stream",
      "chunk"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "stream": {
        "type": "string",
        "enum": [
          "stdout",
          "stderr",
          "pty"
        ]
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "ProcessOutputNotification"
  },
  "ProcessReadParams": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "afterSeq": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "maxBytes": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "waitMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "ProcessReadParams"
  },
  "ProcessReadResult": {
    "type": "object",
    "required": [
      "chunks",
      "nextSeq",
      "exited",
      "exitCode",
      "closed",
      "failure"
    ],
    "properties": {
      "chunks": {
        "type": "array",
        "items": {
          "$ref": "OutputChunk"
        }
      },
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "exited": {
        "type": "boolean"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": [
          "integer",
          "null"
        ]
      },
      "closed": {
        "type": "boolean"
      },
      "failure": {
        "type": [
          "string",
          "null"
        ]
      },
      "sandboxDenied": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "stopped": {
        "anyOf": [
          {
            "$ref": "SandboxStop"
          },
          {
            "type": "null"
          }
        ]
      },
      "omitted": {
        "anyOf": [
          {
            "$ref": "OmittedOutput"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ProcessReadResult"
  },
  "ProcessResizeParams": {
    "type": "object",
    "required": [
      "processId",
      "rows",
      "cols"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      }
    },
    "$id": "ProcessResizeParams"
  },
  "ProcessSignal": {
    "type": "string",
    "enum": [
      "interrupt",
      "SIGHUP",
      "SIGINT",
      "SIGQUIT",
      "SIGILL",
      "SIGTRAP",
      "SIGABRT",
      "SIGBUS",
      "SIGFPE",
      "SIGKILL",
      "SIGUSR1",
      "SIGSEGV",
      "SIGUSR2",
      "SIGPIPE",
      "SIGALRM",
      "SIGTERM",
      "SIGCHLD",
      "SIGCONT",
      "SIGSTOP",
      "SIGTSTP",
      "SIGTTIN",
      "SIGTTOU",
      "SIGURG",
      "SIGXCPU",
      "SIGXFSZ",
      "SIGVTALRM",
      "SIGPROF",
      "SIGWINCH",
      "SIGIO",
      "SIGSYS"
    ],
    "$id": "ProcessSignal"
  },
  "ProcessSignalParams": {
    "type": "object",
    "required": [
      "processId",
      "signal"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "signal": {
        "$ref": "ProcessSignal"
      }
    },
    "$id": "ProcessSignalParams"
  },
  "ProcessSnapshotParams": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      }
    },
    "$id": "ProcessSnapshotParams"
  },
  "ProcessSnapshotResult": {
    "type": "object",
    "required": [
      "stdout",
      "stderr",
      "terminal",
      "truncated",
      "omittedBytes",
      "exitCode",
      "running"
    ],
    "properties": {
      "stdout": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "stderr": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "terminal": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "truncated": {
        "type": "boolean"
      },
      "omittedBytes": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": [
          "integer",
          "null"
        ]
      },
      "running": {
        "type": "boolean"
      }
    },
    "$id": "ProcessSnapshotResult"
  },
  "ProcessStartParams": {
    "anyOf": [
      {
        "$ref": "DirectStartParams"
      },
      {
        "$ref": "PreparedStartParams"
      }
    ],
    "$id": "ProcessStartParams"
  },
  "ProcessStartResult": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "sandboxType": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "none",
          "macosSeatbelt",
          "linuxSeccomp",
          "windowsRestrictedToken",
          null
        ]
      }
    },
    "$id": "ProcessStartResult"
  },
  "ProcessStartedNotification": {
    "type": "object",
    "required": [
      "processId",
      "pid"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "pid": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      }
    },
    "$id": "ProcessStartedNotification"
  },
  "ProcessSummary": {
    "type": "object",
    "required": [
      "processId",
      "argv",
      "cwd",
      "tty",
      "state",
      "exitCode",
      "nextSeq"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "pid": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": [
          "integer",
          "null"
        ]
      },
      "argv": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "cwd": {
        "type": "string"
      },
      "tty": {
        "type": "boolean"
      },
      "state": {
        "type": "string",
        "enum": [
          "starting",
          "running",
          "exited",
          "closed"
        ]
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": [
          "integer",
          "null"
        ]
      },
      "startedAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": [
          "integer",
          "null"
        ]
      },
      "nextSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "firstSeq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": [
          "integer",
          "null"
        ]
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": [
          "integer",
          "null"
        ]
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": [
          "integer",
          "null"
        ]
      },
      "sandboxType": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "none",
          "macosSeatbelt",
          "linuxSeccomp",
          "windowsRestrictedToken",
          null
        ]
      },
      "sandboxDenied": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "stopped": {
        "anyOf": [
          {
            "$ref": "SandboxStop"
          },
          {
            "type": "null"
          }
        ]
      },
      "endedAtMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": [
          "integer",
          "null"
        ]
      },
      "stalled": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "alive": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "metadata": {
        "anyOf": [
          {
            "$ref": "ExecMetadata"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ProcessSummary"
  },
  "ProcessTerminateParams": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "mode": {
        "anyOf": [
          {
            "$ref": "TerminateMode"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "ProcessTerminateParams"
  },
  "ProcessTerminateResult": {
    "type": "object",
    "required": [
      "running"
    ],
    "properties": {
      "running": {
        "type": "boolean"
      }
    },
    "$id": "ProcessTerminateResult"
  },
  "ProcessWaitParams": {
    "type": "object",
    "required": [
      "processId"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "timeoutMs": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": [
          "integer",
          "null"
        ]
      },
      "until": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "exited",
          "closed",
          null
        ]
      }
    },
    "$id": "ProcessWaitParams"
  },
  "ProcessWaitResult": {
    "type": "object",
    "required": [
      "exited",
      "exitCode",
      "closed",
      "sandboxDenied",
      "timedOut"
    ],
    "properties": {
      "exited": {
        "type": "boolean"
      },
      "exitCode": {
        "minimum": -2147483648,
        "maximum": 2147483647,
        "type": [
          "integer",
          "null"
        ]
      },
      "closed": {
        "type": "boolean"
      },
      "sandboxDenied": {
        "type": "boolean"
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "stopped": {
        "anyOf": [
          {
            "$ref": "SandboxStop"
          },
          {
            "type": "null"
          }
        ]
      },
      "timedOut": {
        "type": "boolean"
      }
    },
    "$id": "ProcessWaitResult"
  },
  "ProcessWriteParams": {
    "type": "object",
    "required": [
      "processId",
      "chunk"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      },
      "writeId": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "ProcessWriteParams"
  },
  "ProcessWriteResult": {
    "type": "object",
    "required": [
      "status"
    ],
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "accepted",
          "unknownProcess",
          "stdinClosed",
          "starting"
        ]
      }
    },
    "$id": "ProcessWriteResult"
  },
  "RequestMessage": {
    "type": "object",
    "required": [
      "id",
      "method"
    ],
    "properties": {
      "id": {
        "type": [
          "string",
          "integer"
        ]
      },
      "method": {
        "type": "string"
      },
      "params": {},
      "trace": {
        "anyOf": [
          {
            "$ref": "TraceContext"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "RequestMessage"
  },
  "ResponseMessage": {
    "type": "object",
    "required": [
      "id",
      "result"
    ],
    "properties": {
      "id": {
        "type": [
          "string",
          "integer"
        ]
      },
      "result": {}
    },
    "$id": "ResponseMessage"
  },
  "SandboxContext": {
    "type": "object",
    "properties": {
      "permissions": {
        "$ref": "PermissionProfile"
      },
      "sandboxPolicy": {
        "$ref": "LegacySandboxPolicy"
      },
      "sandboxOverride": {
        "type": [
          "string",
          "null"
        ],
        "enum": [
          "noOverride",
          "escalatedSandboxWithRestrictions",
          "bypassSandboxFirstAttempt",
          null
        ]
      },
      "cwd": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "workspaceRoots": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "description": "file: URI or absolute path",
          "type": "string"
        }
      },
      "policyContext": {
        "type": [
          "object",
          "null"
        ],
        "properties": {
          "cwd": {
            "description": "file: URI or absolute path",
            "type": [
              "string",
              "null"
            ]
          },
          "workspaceRoots": {
            "type": [
              "array",
              "null"
            ],
            "items": {
              "description": "file: URI or absolute path",
              "type": "string"
            }
          }
        }
      },
      "userHomeDir": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "temporaryDirectories": {
        "type": [
          "array",
          "null"
        ],
        "items": {
          "description": "file: URI or absolute path",
          "type": "string"
        }
      },
      "useLegacyLandlock": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "windowsSandboxLevel": {
        "type": [
          "string",
          "null"
        ]
      },
      "windowsSandboxPrivateDesktop": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "windowsSandboxProxySettingsMode": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "SandboxContext"
  },
  "SandboxDenial": {
    "type": "object",
    "required": [
      "reason",
      "line"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "enum": [
          "operation_not_permitted",
          "permission_denied",
          "read_only_file_system",
          "network_denied",
          "policy_denied",
          "failed_to_write_file",
          "sigsys"
        ]
      },
      "line": {
        "type": "string"
      },
      "path": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "SandboxDenial"
  },
  "SandboxExplainParams": {
    "type": "object",
    "required": [
      "session",
      "processId"
    ],
    "properties": {
      "session": {
        "type": "string"
      },
      "processId": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": [
          "string",
          "null"
        ]
      },
      "whatIf": {
        "anyOf": [
          {
            "$ref": "PermissionProfile"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "$id": "SandboxExplainParams"
  },
  "SandboxExplainResult": {
    "type": "object",
    "required": [
      "sandboxType",
      "restrictsFiles",
      "network",
      "sentences",
      "nodes",
      "denyGlobs",
      "systemDirectories",
      "changes"
    ],
    "properties": {
      "sandboxType": {
        "type": "string",
        "enum": [
          "none",
          "macosSeatbelt",
          "linuxSeccomp",
          "windowsRestrictedToken"
        ]
      },
      "restrictsFiles": {
        "type": "boolean"
      },
      "network": {
        "type": "string",
        "enum": [
          "restricted",
          "loopback",
          "enabled"
        ]
      },
      "sentences": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "nodes": {
        "type": "array",
        "items": {
          "$ref": "PolicyNode"
        }
      },
      "denyGlobs": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "systemDirectories": {
        "type": "boolean"
      },
      "denial": {
        "anyOf": [
          {
            "$ref": "SandboxDenial"
          },
          {
            "type": "null"
          }
        ]
      },
      "decision": {
        "anyOf": [
          {
            "$ref": "PolicyDecision"
          },
          {
            "type": "null"
          }
        ]
      },
      "changes": {
        "type": "array",
        "items": {
          "$ref": "PolicyChange"
        }
      }
    },
    "$id": "SandboxExplainResult"
  },
  "SandboxStop": {
    "type": "object",
    "required": [
      "reason",
      "path"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "enum": [
          "protection_lost"
        ]
      },
      "path": {
        "type": "string"
      }
    },
    "$id": "SandboxStop"
  },
  "SessionInterventionNotification": {
    "type": "object",
    "required": [
      "processId",
      "what",
      "by"
    ],
    "properties": {
      "processId": {
        "type": "string"
      },
      "what": {
        "type": "string",
        "enum": [
          "signal",
          "terminate",
          "write",
          "resize"
        ]
      },
      "by": {
        "type": "string"
      }
    },
    "$id": "SessionInterventionNotification"
  },
  "SessionObservedNotification": {
    "type": "object",
    "required": [
      "observers"
    ],
    "properties": {
      "observers": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      }
    },
    "$id": "SessionObservedNotification"
  },
  "SessionsListResult": {
    "type": "object",
    "required": [
      "sessions"
    ],
    "properties": {
      "sessions": {
        "type": "array",
        "items": {
          "$ref": "ObservedSession"
        }
      }
    },
    "$id": "SessionsListResult"
  },
  "ShellInfo": {
    "type": "object",
    "required": [
      "name",
      "path"
    ],
    "properties": {
      "name": {
        "type": "string"
      },
      "path": {
        "type": "string"
      }
    },
    "$id": "ShellInfo"
  },
  "ShellSnapshot": {
    "type": "object",
    "required": [
      "scopeId",
      "shell"
    ],
    "properties": {
      "scopeId": {
        "type": "string"
      },
      "shell": {
        "$ref": "ShellInfo"
      }
    },
    "$id": "ShellSnapshot"
  },
  "SkillDependencies": {
    "type": "object",
    "required": [
      "tools"
    ],
    "properties": {
      "tools": {
        "type": "array",
        "items": {
          "$ref": "SkillToolDependency"
        }
      }
    },
    "$id": "SkillDependencies"
  },
  "SkillDiscoveryRoot": {
    "type": "object",
    "required": [
      "id",
      "path"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      }
    },
    "$id": "SkillDiscoveryRoot"
  },
  "SkillPolicy": {
    "type": "object",
    "required": [
      "allowImplicitInvocation",
      "products"
    ],
    "properties": {
      "allowImplicitInvocation": {
        "type": [
          "boolean",
          "null"
        ]
      },
      "products": {
        "type": "array",
        "items": {
          "type": "string",
          "enum": [
            "codex",
            "chatgpt",
            "atlas"
          ]
        }
      }
    },
    "$id": "SkillPolicy"
  },
  "SkillToolDependency": {
    "type": "object",
    "required": [
      "type",
      "value",
      "description",
      "transport",
      "command",
      "url",
      "oauthCallbackPort"
    ],
    "properties": {
      "type": {
        "type": "string"
      },
      "value": {
        "type": "string"
      },
      "description": {
        "type": [
          "string",
          "null"
        ]
      },
      "transport": {
        "type": [
          "string",
          "null"
        ]
      },
      "command": {
        "type": [
          "string",
          "null"
        ]
      },
      "url": {
        "type": [
          "string",
          "null"
        ]
      },
      "oauthCallbackPort": {
        "minimum": 0,
        "maximum": 65535,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "$id": "SkillToolDependency"
  },
  "SkippedTreeEntry": {
    "type": "object",
    "required": [
      "path",
      "why"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "why": {
        "type": "string",
        "enum": [
          "notAFile",
          "linkLeadsOut",
          "denied",
          "nameIsNotText",
          "tooDeep"
        ]
      }
    },
    "$id": "SkippedTreeEntry"
  },
  "SpecialPath": {
    "type": "object",
    "discriminator": {
      "propertyName": "kind"
    },
    "required": [
      "kind"
    ],
    "oneOf": [
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "root",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "minimal",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "current_working_directory",
            "type": "string"
          },
          "subpath": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "project_roots",
            "type": "string"
          },
          "subpath": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "tmpdir",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind"
        ],
        "properties": {
          "kind": {
            "const": "slash_tmp",
            "type": "string"
          }
        }
      },
      {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "kind",
          "path"
        ],
        "properties": {
          "kind": {
            "const": "unknown",
            "type": "string"
          },
          "path": {
            "type": "string"
          },
          "subpath": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      }
    ],
    "$id": "SpecialPath"
  },
  "TerminalResize": {
    "type": "object",
    "required": [
      "seq",
      "atMs",
      "rows",
      "cols"
    ],
    "properties": {
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "rows": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      },
      "cols": {
        "minimum": 0,
        "maximum": 65535,
        "type": "integer"
      }
    },
    "$id": "TerminalResize"
  },
  "TerminateMode": {
    "type": "object",
    "discriminator": {
      "propertyName": "type"
    },
    "required": [
      "type"
    ],
    "oneOf": [
      {
        "type": "object",
        "required": [
          "type",
          "timeoutMs"
        ],
        "properties": {
          "type": {
            "const": "graceful",
            "type": "string"
          },
          "timeoutMs": {
            "minimum": 0,
            "maximum": 18446744073709552000,
            "type": "integer"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "force",
            "type": "string"
          }
        }
      },
      {
        "type": "object",
        "required": [
          "type"
        ],
        "properties": {
          "type": {
            "const": "tree",
            "type": "string"
          }
        }
      }
    ],
    "$id": "TerminateMode"
  },
  "TimedChunk": {
    "type": "object",
    "required": [
      "seq",
      "atMs",
      "stream",
      "chunk"
    ],
    "properties": {
      "seq": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "atMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "stream": {
        "type": "string",
        "enum": [
          "stdout",
          "stderr",
          "pty"
        ]
      },
      "chunk": {
        "contentEncoding": "base64",
        "type": "string"
      }
    },
    "$id": "TimedChunk"
  },
  "TraceContext": {
    "type": "object",
    "properties": {
      "traceparent": {
        "type": [
          "string",
          "null"
        ]
      },
      "tracestate": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "$id": "TraceContext"
  },
  "TreeCursor": {
    "type": "object",
    "required": [
      "path",
      "offset"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "offset": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "TreeCursor"
  },
  "TreeEntry": {
    "type": "object",
    "required": [
      "path",
      "kind"
    ],
    "properties": {
      "path": {
        "description": "relative to the root, names joined by `/`; empty for the root itself, which may be a file",
        "type": "string"
      },
      "kind": {
        "type": "string",
        "enum": [
          "directory",
          "file",
          "link"
        ]
      },
      "mode": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "modifiedAtMs": {
        "minimum": -9007199254740991,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "target": {
        "description": "of a link",
        "type": "string"
      },
      "size": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "offset": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "length": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "partial": {
        "description": "of a file that is written: it is called `.PARTIAL.part` until it is whole",
        "type": "string"
      },
      "file": {
        "description": "of a file that is read by its own path: another one when another file took its place",
        "type": "string"
      },
      "version": {
        "description": "of a file that is read by its own path: another one when it was changed",
        "type": "string"
      }
    },
    "$id": "TreeEntry"
  },
  "TreeMember": {
    "type": "object",
    "required": [
      "pid",
      "parentPid",
      "argv",
      "state",
      "cpuMs",
      "residentBytes"
    ],
    "properties": {
      "pid": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "parentPid": {
        "minimum": 0,
        "maximum": 4294967295,
        "type": "integer"
      },
      "argv": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "state": {
        "type": "string",
        "enum": [
          "running",
          "sleeping",
          "waiting",
          "stopped",
          "other"
        ]
      },
      "cpuMs": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "residentBytes": {
        "minimum": 0,
        "maximum": 9007199254740991,
        "type": "integer"
      }
    },
    "$id": "TreeMember"
  },
  "WalkEntry": {
    "type": "object",
    "required": [
      "path",
      "kind"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "kind": {
        "type": "string",
        "enum": [
          "directory",
          "file"
        ]
      }
    },
    "$id": "WalkEntry"
  },
  "WalkError": {
    "type": "object",
    "required": [
      "path",
      "message"
    ],
    "properties": {
      "path": {
        "description": "file: URI or absolute path",
        "type": "string"
      },
      "message": {
        "type": "string"
      }
    },
    "$id": "WalkError"
  },
  "WalkOptions": {
    "type": "object",
    "required": [
      "maxDepth",
      "maxDirectories",
      "maxEntries",
      "followDirectorySymlinks"
    ],
    "properties": {
      "maxDepth": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": "integer"
      },
      "maxDirectories": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": "integer"
      },
      "maxEntries": {
        "minimum": 0,
        "maximum": 18446744073709552000,
        "type": "integer"
      },
      "followDirectorySymlinks": {
        "type": "boolean"
      },
      "pruneHiddenDirectories": {
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "$id": "WalkOptions"
  },
  "WireError": {
    "type": "object",
    "required": [
      "code",
      "message"
    ],
    "properties": {
      "code": {
        "minimum": -9007199254740991,
        "maximum": 9007199254740991,
        "type": "integer"
      },
      "message": {
        "type": "string"
      },
      "data": {}
    },
    "$id": "WireError"
  }
};
