#pragma once

#include <cstddef>
#include <vector>

namespace et::test {

using FileBytes = std::vector<std::byte>;

/// Every kind of event and value, in two runs, as written by TraceWriter.
[[nodiscard]] FileBytes everyKindOfEvent();

/// The layout without a size prefix and without optional fields: run name, event list, event names, values.
/// Contains an event without content, one with all three kinds, and an unknown dtype and value kind.
[[nodiscard]] FileBytes plainWithMissingFields();

/// Two tensors, of sizes [1] and [0], whose lists start four bytes apart, so one of them is misaligned.
[[nodiscard]] FileBytes misalignedSizes();

/// Five hundred overlapping names: the file is small, but their total text is not.
[[nodiscard]] FileBytes overlappingNames();

/// A hundred events that share one tensor of a thousand sizes.
[[nodiscard]] FileBytes sharedHugeTensor();

/// A run that is listed a hundred times, whose one event is listed a hundred times.
[[nodiscard]] FileBytes sharedRuns();

/// True if these bytes are a size-prefixed trace that flatbuffers' own verifier accepts.
[[nodiscard]] bool verifies(const FileBytes& bytes);

}  // namespace et::test
