#pragma once

#include "app/tasks/rewrite/part_sizes.h"
#include "backends/leading_block.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Changed sizes: old size -> new size.
using SizeChanges = backends::ChangedSizes;

/// Sizes to shrink in a part.
struct PartShrink {
    PartSizes inputs;
    SizeChanges constants{};  ///< dimensions of constants
};

/// Converts to "48:1,8:4", and back. Errors: InvalidArgument (not a valid list; a size that does not shrink).
[[nodiscard]] std::string sizeChangesText(const SizeChanges& changes);
[[nodiscard]] core::Result<SizeChanges> parseSizeChanges(std::string_view text);

/// Changes between two lists of sizes of the same inputs; if a size changes to several others, the first.
[[nodiscard]] SizeChanges sizeChanges(const PartSizes& before, const PartSizes& after);

/// Sizes of a view after the sizes of its input have changed: known sizes are replaced, and one becomes -1,
/// which infers it from the number of elements.
[[nodiscard]] std::vector<std::int64_t> changedView(std::span<const std::int64_t> view,
                                                    const SizeChanges& changes);

/// Adapts sizes given to operators as plain numbers (views, expansions, filled tensors) to the changed
/// inputs: in a method, and in the same way in its exported graph.
void changeAskedSizes(program::Method& method, const SizeChanges& changes);
void changeAskedSizes(etrecord::ExportedGraph& graph, const SizeChanges& changes);

/// Changes the sizes of constants and the groups of convolutions in a method and in its graph. `kept` owns
/// the method's new bytes and payloads; the graph's tensors are left to the writer. Constants from `named`
/// are stored in the method afterwards. Delegates are adapted to the inputs of the method. Errors: those of
/// backends::shrunkPayload().
[[nodiscard]] core::Result<> shrinkConstants(program::Method& method, const SizeChanges& asked,
                                             const SizeChanges& constants,
                                             const executor::NamedDataSource& named,
                                             std::deque<std::vector<std::byte>>& kept);
void changeGroups(etrecord::ExportedGraph& graph, const SizeChanges& constants);

/// Distinct sizes above 1 of the constants of a method and its delegates, largest first.
[[nodiscard]] std::vector<std::int64_t> collectConstantSizes(const program::Method& method);

}  // namespace et::tasks
