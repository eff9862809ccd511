#pragma once

#include <cstddef>
#include <vector>

namespace et::test {

using FileBytes = std::vector<std::byte>;

/// Every kind of event and value, in two runs, as TraceWriter writes them.
[[nodiscard]] FileBytes everyKindOfEvent();

/// The layout without a size prefix; fields that may be missing are missing: run name, event list, event
/// names, values. Holds an event without a part, one with all three, a dtype and a value kind that nobody
/// knows.
[[nodiscard]] FileBytes plainWithMissingFields();

/// Two tensors, of sizes [1] and [0], whose lists begin four bytes apart: one of them is not aligned.
[[nodiscard]] FileBytes misalignedSizes();

/// Five hundred names, all inside each other: the file is small, the text that it names is not.
[[nodiscard]] FileBytes overlappingNames();

/// A hundred events that share one tensor of a thousand sizes.
[[nodiscard]] FileBytes sharedHugeTensor();

/// A run that is listed a hundred times, whose one event is listed a hundred times.
[[nodiscard]] FileBytes sharedRuns();

/// Whether these bytes are a size-prefixed trace that flatbuffers' own verifier accepts.
[[nodiscard]] bool verifies(const FileBytes& bytes);

}  // namespace et::test
