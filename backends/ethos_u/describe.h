#pragma once

#include "backends/delegate_data.h"
#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <cstdint>
#include <string_view>

namespace et::backends::ethos_u {

/// Describes the documented fields of an Ethos-U payload: one node, the command stream, with inputs and
/// outputs (sizes of six dimensions, bytes per element, address in the NPU's memory) and weights as a
/// constant. Commands and weights may be stored outside the payload. Format:
/// docs/reference/delegate_payloads.md. Errors: Format.
[[nodiscard]] core::Result<core::ModelGraph> describe(core::Bytes payload,
                                                      const executor::NamedDataSource& namedData);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

/// Bytes of scratch memory that a call of the payload needs, which ExecuTorch's backend takes from the
/// temporary pool aligned to 16; 0 if it needs none. Errors: Format.
[[nodiscard]] core::Result<std::uint64_t> scratchBytes(core::Bytes payload);

/// Names of blocks stored outside the payload: the SHA-256 of their placement, a zero and the block.
[[nodiscard]] DelegateDataList externalBlocks(const program::Delegate& delegate, std::string_view method);

}  // namespace et::backends::ethos_u
