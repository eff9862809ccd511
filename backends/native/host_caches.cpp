#include "backends/native/host_caches.h"

#include "runtime/native/read_graph.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace et::backends::native {
namespace {

/// Positions of arguments of kvcache.update_and_attend.
constexpr std::size_t keyIndex = 1;
constexpr std::size_t valueIndex = 2;
constexpr std::size_t layerIndex = 4;

const et::native::TensorMeta* tensorOf(const et::native::Method& method, const et::native::Node& node,
                                       std::size_t index) {
    const auto* name = std::get_if<et::native::TensorName>(&node.inputs[index].value);
    const auto* meta = name == nullptr ? nullptr : method.tensor(name->name);
    return meta == nullptr || meta->sizes.size() != 4 || !core::scalarType(meta->scalarType) ? nullptr : meta;
}

std::optional<core::KvCacheLayer> layerOf(const et::native::Method& method, const et::native::Node& node) {
    if (node.inputs.size() <= layerIndex) {
        return std::nullopt;
    }
    const auto* key = tensorOf(method, node, keyIndex);
    const auto* value = tensorOf(method, node, valueIndex);
    const auto* layer = std::get_if<et::native::IntOrName>(&node.inputs[layerIndex].value);
    if (key == nullptr || value == nullptr || layer == nullptr || !layer->name.empty()) {
        return std::nullopt;
    }
    const auto most = [](const et::native::TensorMeta& meta, std::size_t at) {
        return std::max(meta.sizes[at].maximum, std::int64_t{0});
    };
    return core::KvCacheLayer{.layer = layer->value,
                              .batch = most(*key, 0),
                              .heads = most(*key, 1),
                              .keySize = most(*key, 3),
                              .valueSize = most(*value, 3),
                              .dtype = static_cast<core::ScalarType>(key->scalarType),
                              .maxStep = most(*key, 2)};
}

}  // namespace

core::Result<std::vector<core::KvCacheLayer>> hostCaches(core::Bytes payload) {
    ET_ASSIGN(const et::native::Program program, et::native::parseProgram(payload));
    std::vector<core::KvCacheLayer> layers;
    for (const et::native::Method& method : program.methods) {
        for (const et::native::Node& node : method.graph.nodes) {
            if (node.target.find("kvcache.update_and_attend") == std::string_view::npos) {
                continue;
            }
            if (const auto layer = layerOf(method, node)) {
                layers.push_back(*layer);
            }
        }
    }
    return layers;
}

}  // namespace et::backends::native
