#pragma once

#include "inspector/join/event_blocks.h"

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::report {

/// What people call what an event does: "conv2d", "linear + relu", the backend of a delegate call,
/// "Inference". Names of files stay as they are where there is no plainer one.
[[nodiscard]] std::string readableOperator(const Block& block, const Event& event);

/// The module that all of an event's nodes are in: "features.2.conv.1.0"; empty: none, or the root.
[[nodiscard]] std::string readableModule(const Block& block, const Event& event);

/// Both: "conv2d · features.2.conv.1.0".
[[nodiscard]] std::string readableName(const Block& block, const Event& event);

/// What people call the runs of a block by its name: "Load", "Inference"; that name where it is another.
[[nodiscard]] std::string readableBlock(std::string_view name);
[[nodiscard]] std::string readableBlock(const Block& block);

/// A file's name without the number that delegates tell equal operators apart by: "Add (ND)" of "Add (ND)
/// #12".
[[nodiscard]] std::string_view withoutNumber(std::string_view name);

}  // namespace et::inspector::report
