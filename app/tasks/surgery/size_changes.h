#pragma once

#include "app/tasks/surgery/part_sizes.h"
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

namespace et::app {

/// Sizes that become others, by what they were.
using SizeChanges = backends::ChangedSizes;

/// What becomes smaller of a part.
struct PartShrink {
    PartSizes inputs;
    SizeChanges constants{};  ///< of dimensions of constants
};

/// "48:1,8:4", and back. Errors: InvalidArgument (no such list; a size that does not become smaller).
[[nodiscard]] std::string sizeChangesText(const SizeChanges& changes);
[[nodiscard]] core::Result<SizeChanges> parseSizeChanges(std::string_view text);

/// What changes between two lists of the same inputs; of a size that becomes several others, the first.
[[nodiscard]] SizeChanges sizeChanges(const PartSizes& before, const PartSizes& after);

/// The sizes that a view asks for, where those of its input have changed: known ones follow, and one is -1,
/// so that it becomes what is left of the elements.
[[nodiscard]] std::vector<std::int64_t> changedView(std::span<const std::int64_t> view,
                                                    const SizeChanges& changes);

/// Lets the sizes that operators ask for as plain numbers (views, expansions, filled tensors) follow those of
/// the inputs: in a method, and in the same way in its exported graph.
void changeAskedSizes(program::Method& method, const SizeChanges& changes);
void changeAskedSizes(etrecord::ExportedGraph& graph, const SizeChanges& changes);

/// Lets constants have other sizes, with the groups of convolutions: in a method, of which `kept` gets the
/// bytes and payloads, and in its graph, whose tensors stay with who writes them. Those that are looked up in
/// `named` are in the method then. Delegates follow the inputs of the method. Errors: those of
/// backends::shrunkPayload().
[[nodiscard]] core::Result<> shrinkConstants(program::Method& method, const SizeChanges& asked,
                                             const SizeChanges& constants,
                                             const executor::NamedDataSource& named,
                                             std::deque<std::vector<std::byte>>& kept);
void changeGroups(etrecord::ExportedGraph& graph, const SizeChanges& constants);

/// Sizes of the constants of a method and of its delegates that are above 1, each once, the largest first.
[[nodiscard]] std::vector<std::int64_t> constantSizesOf(const program::Method& method);

}  // namespace et::app
