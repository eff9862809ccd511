#include "backends/delegate_data.h"

#include "backends/aoti/blob_keys.h"
#include "backends/builtin.h"
#include "backends/ethos_u/describe.h"
#include "runtime/executor/backend.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace et::backends {
namespace {

/// Records the names that a backend looks up.
class LookedUpNames final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view name) const override {
        if (std::ranges::none_of(found, [&](const DelegateData& each) { return each.name == name; })) {
            found.push_back({.name = std::string(name)});
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<DelegateData> take() { return std::move(found); }

  private:
    mutable std::vector<DelegateData> found;
};

/// Backends with names that are not in the payload, or with hashes in their names.
struct BackendData {
    std::string_view backend;
    DelegateDataList (*find)(const program::Delegate& delegate, std::string_view method);
};
constexpr std::array backendData{BackendData{"CudaBackend", aoti::blobKeys},
                                 BackendData{"EthosUBackend", ethos_u::externalBlocks},
                                 BackendData{"MetalBackend", aoti::blobKeys}};

/// A program inside a program has its own data, and may use that of the outer one.
constexpr std::string_view nestedPrograms = "ExecutorBackend";

/// Types of the constants that have a looked-up name as an attribute. Not of those with further attributes,
/// such as a quantization, whose stored elements are others.
void addTypes(const core::ModelGraph& graph, DelegateDataList& list) {
    std::map<std::string_view, DelegateData*> byName;
    for (DelegateData& each : list.data) {
        byName.emplace(each.name, &each);
    }
    for (const core::GraphValue& value : graph.values()) {
        DelegateData* named = nullptr;
        std::size_t others = 0;
        for (const core::GraphAttribute& attribute : value.attributes) {
            const auto found = byName.find(attribute.text);
            named = found == byName.end() ? named : found->second;
            others += found == byName.end() && attribute.name != "data" ? 1U : 0U;
        }
        if (value.role == core::GraphValue::Role::Constant && named != nullptr && others == 0) {
            named->type = value.type;
        }
    }
}

}  // namespace

DelegateDataList delegateData(const program::Delegate& delegate, std::string_view method) {
    const auto* const special = std::ranges::find(backendData, delegate.backend, &BackendData::backend);
    if (special != backendData.end()) {
        return special->find(delegate, method);
    }
    const auto known = describable();
    const auto backend = std::ranges::find(known, delegate.backend, &executor::Backend::name);
    if (backend == known.end()) {
        return {};
    }
    LookedUpNames names;
    const auto graph = (*backend)->describe(delegate, names);
    DelegateDataList list{.data = names.take(), .isComplete = graph && delegate.backend != nestedPrograms};
    if (graph) {
        addTypes(*graph, list);
    }
    return list;
}

}  // namespace et::backends
