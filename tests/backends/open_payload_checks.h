#pragma once

#include "runtime/core/graph.h"
#include "runtime/executor/backend.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Checks for tests of graphs that describe a payload.
namespace et::test {

/// Data by name.
class NamedBytes final : public executor::NamedDataSource {
  public:
    std::map<std::string, std::vector<std::byte>, std::less<>> blobs;

    [[nodiscard]] std::optional<core::Bytes> find(std::string_view name) const override {
        const auto found = blobs.find(name);
        return found == blobs.end() ? std::nullopt : std::optional<core::Bytes>(found->second);
    }
};

/// Returns "" if no attribute has that name.
[[nodiscard]] inline std::string attribute(const std::vector<core::GraphAttribute>& attributes,
                                           std::string_view name) {
    const auto found = std::ranges::find(attributes, name, &core::GraphAttribute::name);
    return found == attributes.end() ? "" : found->text;
}

[[nodiscard]] inline std::vector<std::string> namesOf(const core::ModelGraph& graph,
                                                      const std::vector<core::GraphValueId>& ids) {
    std::vector<std::string> names;
    for (const core::GraphValueId id : ids) {
        names.push_back(graph.value(id).name);
    }
    return names;
}

/// True if every node reads only inputs, constants, mutable buffers and results of earlier nodes.
[[nodiscard]] inline bool runsInOrder(const core::ModelGraph& graph) {
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        for (const core::GraphValueId input : graph.nodes()[i].inputs) {
            const auto producer = graph.value(input).producer;
            if (producer && producer->value >= i) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace et::test
