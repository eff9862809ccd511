#pragma once

#include "inspector/join/event_blocks.h"

#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::events {

/// Display name of an event: "conv2d", "linear + relu", the backend of a delegate call, "Inference". Names
/// from files are kept if there is no simpler one.
[[nodiscard]] std::string readableOperator(const Block& block, const Event& event);

/// The module that contains all of an event's nodes: "features.2.conv.1.0"; empty: none, or the root.
[[nodiscard]] std::string readableModule(const Block& block, const Event& event);

/// Operator and module: "conv2d · features.2.conv.1.0".
[[nodiscard]] std::string readableName(const Block& block, const Event& event);

/// Display name of a block's runs: "Load", "Inference"; otherwise the name itself.
[[nodiscard]] std::string readableBlock(std::string_view name);
[[nodiscard]] std::string readableBlock(const Block& block);

}  // namespace et::inspector::events
