#pragma once

#include "etrecord/exported_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Plain numbers among the arguments of a node. Nothing if the argument is omitted or not a plain number.
namespace et::backends::lowering {

[[nodiscard]] std::optional<std::int64_t> integerArgument(const etrecord::Node& node, std::string_view name);
/// Also accepts an integer.
[[nodiscard]] std::optional<double> numberArgument(const etrecord::Node& node, std::string_view name);
[[nodiscard]] bool booleanArgument(const etrecord::Node& node, std::string_view name, bool otherwise);
/// A list of non-symbolic integers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> integersArgument(const etrecord::Node& node,
                                                                        std::string_view name);
[[nodiscard]] std::optional<std::vector<double>> numbersArgument(const etrecord::Node& node,
                                                                 std::string_view name);
[[nodiscard]] std::string_view textArgument(const etrecord::Node& node, std::string_view name);
/// Names of the tensors in a list; nothing if an item is missing.
[[nodiscard]] std::optional<std::vector<std::string_view>> tensorsArgument(const etrecord::Node& node,
                                                                           std::string_view name);

/// Name of a node's first result; empty if it has none.
[[nodiscard]] std::string_view firstResult(const etrecord::Node& node);

}  // namespace et::backends::lowering
