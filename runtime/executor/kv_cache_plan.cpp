#include "runtime/executor/kv_cache_plan.h"

#include "runtime/program/constant_method.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace et::executor {
namespace {

using core::KvCacheLayer;

/// Arguments of kvcache::update_and_attend.
namespace attend {
constexpr std::size_t key = 1;
constexpr std::size_t value = 2;
constexpr std::size_t layer = 4;
constexpr std::size_t count = 8;
}  // namespace attend

bool isUpdate(const program::Operator& op) {
    return op.name == "kvcache::update_and_attend";
}

std::optional<KvCacheLayer> layerOfCall(const program::Method& method, const program::KernelCall& call) {
    if (call.args.size() < attend::count) {
        return std::nullopt;
    }
    const auto* key = method.value(call.args[attend::key]).as<program::TensorInfo>();
    const auto* value = method.value(call.args[attend::value]).as<program::TensorInfo>();
    const auto* layer = method.value(call.args[attend::layer]).as<std::int64_t>();
    if (key == nullptr || value == nullptr || layer == nullptr || !core::scalarType(key->scalarType) ||
        key->sizes.size() != 4 || value->sizes.size() != 4) {
        return std::nullopt;
    }
    return KvCacheLayer{.layer = *layer,
                        .batch = key->sizes[0],
                        .heads = key->sizes[1],
                        .keySize = key->sizes[3],
                        .valueSize = value->sizes[3],
                        .dtype = static_cast<core::ScalarType>(key->scalarType),
                        .maxStep = key->dynamism == program::ShapeDynamism::Unbounded ? 0 : key->sizes[2]};
}

/// Sizes of hostile programs: a product of them must not overflow.
bool isPlausible(const KvCacheLayer& layer) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    return layer.layer >= 0 &&
           std::ranges::all_of(std::array{layer.batch, layer.heads, layer.keySize, layer.valueSize},
                               [](std::int64_t size) { return size >= 0 && size <= most; }) &&
           layer.batch * layer.heads <= most;
}

void addLayer(const KvCacheLayer& layer, std::vector<KvCacheLayer>& layers) {
    if (!isPlausible(layer)) {
        return;
    }
    const auto at = std::ranges::lower_bound(layers, layer.layer, {}, &KvCacheLayer::layer);
    if (at == layers.end() || at->layer != layer.layer) {
        layers.insert(at, layer);
        return;
    }
    const std::int64_t longest = std::max(at->maxStep, layer.maxStep);
    if (at->heads == 0) {
        *at = layer;
    }
    at->maxStep = longest;
}

}  // namespace

std::int64_t KvCachePlan::windowOf(std::int64_t layer) const {
    return windows.empty() || layer < 0 ? 0 : windows[static_cast<std::size_t>(layer) % windows.size()];
}

std::int64_t KvCachePlan::reservedPositions(const KvCacheLayer& layer) const {
    return core::reservedPositions(capacity, windowOf(layer.layer), layer.maxStep);
}

std::uint64_t KvCachePlan::reservedBytes(const KvCacheLayer& layer) const {
    return layer.bytesPerPosition() * static_cast<std::uint64_t>(reservedPositions(layer));
}

std::uint64_t KvCachePlan::reservedBytes() const {
    std::uint64_t total = 0;
    for (const KvCacheLayer& layer : layers) {
        total += reservedBytes(layer);
    }
    return total;
}

std::uint64_t KvCachePlan::bytesPerPosition() const {
    std::uint64_t total = 0;
    for (const KvCacheLayer& layer : layers) {
        total += layer.bytesPerPosition();
    }
    return total;
}

core::KvCacheSettings KvCachePlan::limits() const {
    return {.capacity = capacitySource == "length" ? 0 : capacity, .windows = windows, .dtype = std::nullopt};
}

std::vector<KvCacheLayer> kvCacheLayers(const program::Method& method,
                                        std::span<const Backend* const> backends,
                                        const NamedDataSource& namedData) {
    std::vector<KvCacheLayer> layers;
    if (std::ranges::any_of(method.operators, isUpdate)) {
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                const auto* call = std::get_if<program::KernelCall>(&instruction);
                if (call == nullptr || !isUpdate(method.op(call->op))) {
                    continue;
                }
                if (const auto layer = layerOfCall(method, *call)) {
                    addLayer(*layer, layers);
                }
            }
        }
    }
    for (const program::Delegate& delegate : method.delegates) {
        const Backend* backend = findBackend(backends, delegate.backend);
        const auto found = backend == nullptr ? core::Result<std::vector<KvCacheLayer>>()
                                              : backend->hostCaches(delegate, namedData);
        for (const KvCacheLayer& layer : found.value_or(std::vector<KvCacheLayer>())) {
            addLayer(layer, layers);
        }
    }
    return layers;
}

KvCachePlan planKvCaches(const program::Program& program, std::span<const Backend* const> backends,
                         const NamedDataSource& namedData, const core::KvCacheSettings& settings) {
    KvCachePlan plan{
        .layers = {}, .capacity = settings.capacity, .capacitySource = {}, .windows = settings.windows};
    for (const program::Method& method : program.methods) {
        for (const KvCacheLayer& layer : kvCacheLayers(method, backends, namedData)) {
            addLayer(layer, plan.layers);
        }
    }
    const std::vector<program::ProgramConstant> constants = program::programConstants(program);
    const auto find = [&](std::string_view name) {
        const auto found = std::ranges::find(constants, name, &program::ProgramConstant::name);
        return found == constants.end() ? nullptr : &*found;
    };
    constexpr std::int64_t most = std::int64_t{1} << 30;
    for (const std::string_view name :
         {std::string_view("get_max_ctx_len"), std::string_view("get_max_context_len"),
          std::string_view("get_max_seq_len")}) {
        const program::ProgramConstant* found = plan.capacity > 0 ? nullptr : find(name);
        const std::int64_t number = found == nullptr ? 0 : found->number().value_or(0);
        if (number > 0 && number <= most) {
            plan.capacity = number;
            plan.capacitySource = name;
        }
    }
    if (plan.capacity <= 0) {
        plan.capacity = 0;
        for (const KvCacheLayer& layer : plan.layers) {
            plan.capacity = std::max(plan.capacity, layer.maxStep);
        }
        plan.capacitySource = plan.capacity > 0 ? "length" : "";
    }
    if (const auto* found = plan.windows.empty() ? find("get_windows") : nullptr) {
        plan.windows = found->numbers();
    }
    for (KvCacheLayer& layer : plan.layers) {
        layer.dtype = settings.dtype.value_or(layer.dtype);
    }
    return plan;
}

}  // namespace et::executor
