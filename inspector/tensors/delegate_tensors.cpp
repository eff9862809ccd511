// Lists weights inside delegates.
#include "inspector/delegates/delegates.h"
#include "inspector/tensors/catalog_builder.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace et::inspector {
namespace {

using backends::StoredConstant;
using core::GraphValue;

/// Dense elements whose dtype and sizes match the value's type text ("float32 [2, 3]") and byte count.
std::optional<DenseLocation> findDense(const GraphValue& value) {
    for (const core::ScalarTypeInfo& dtype : core::scalarTypes()) {
        const std::string start = std::string(dtype.torchName) + " [";
        if (!value.type.starts_with(start)) {
            continue;
        }
        DenseLocation place{.data = value.data, .scalarType = dtype.code, .sizes = {}};
        const char* at = value.type.c_str() + start.size();
        while (*at >= '0' && *at <= '9' && place.sizes.size() < core::maxDims) {
            char* end = nullptr;
            place.sizes.push_back(std::strtoll(at, &end, 10));
            at = end + std::strspn(end, ", ");
        }
        const auto bytes = core::tensorBytes(dtype.code, place.sizes);
        const bool fits = bytes && static_cast<std::uint64_t>(*bytes) == value.data.size() && *at == ']';
        return fits ? std::optional(std::move(place)) : std::nullopt;
    }
    return std::nullopt;
}

/// Argument name of a value at its first reader.
std::string_view roleOf(const core::ModelGraph& graph, std::size_t value) {
    const GraphValue& of = graph.values()[value];
    if (of.consumers.empty()) {
        return {};
    }
    const core::GraphNode& node = graph.node(of.consumers.front());
    const auto at = std::ranges::find(node.inputs, core::GraphValueId(static_cast<std::uint32_t>(value)));
    return executor::nameInList(node.inputNames, static_cast<std::size_t>(at - node.inputs.begin()));
}

/// Lists the weights of one delegate.
class DelegateLister {
  public:
    DelegateLister(CatalogContent& into, const CatalogSources& from, const program::Method& of)
        : content(into), method(of), nodes(from.session->recordOfProgram(), of.name) {}

    void list(std::size_t number, const DelegateReport& delegate, const executor::NamedDataSource& data) {
        std::map<std::size_t, StoredConstant> known;
        for (StoredConstant& each : backends::storedConstants(*delegate.delegate, data)) {
            known.emplace(each.value, std::move(each));
        }
        const auto& values = delegate.graph->values();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (const auto stored = known.find(i); stored != known.end()) {
                content.add(describe(number, delegate, i), std::move(stored->second));
            } else if (auto dense = values[i].data.empty() ? std::nullopt : findDense(values[i])) {
                content.add(describe(number, delegate, i), *std::move(dense));
            } else if (!values[i].data.empty()) {
                content.add(describe(number, delegate, i),
                            MissingLocation{"unsupported element format: " + values[i].type});
            }
        }
    }

  private:
    [[nodiscard]] CatalogTensor describe(std::size_t number, const DelegateReport& delegate,
                                         std::size_t at) const {
        const core::ModelGraph& graph = *delegate.graph;
        const GraphValue& value = graph.values()[at];
        CatalogTensor tensor{.origin = TensorOrigin::DelegateWeight,
                             .name = {},
                             .place = fmt::format("{}: delegate {}, {}", method.name, number, value.name),
                             .type = value.type,
                             .bytes = value.bytes,
                             .method = std::string(method.name)};
        for (const core::GraphNodeId reader : value.consumers) {
            for (const core::DebugHandle handle : graph.node(reader).debugHandles) {
                if (!std::ranges::contains(tensor.handles, handle)) {
                    tensor.handles.push_back(handle);
                }
            }
        }
        for (const DelegateCallSite& call : delegate.calls) {
            if (call.chain == 0) {
                tensor.instructions.push_back(call.instruction);
            }
        }
        tensor.module = moduleOf(nodes, tensor.handles);
        tensor.name = nameOfUse(tensor.module, roleOf(graph, at));
        if (tensor.name.empty()) {
            tensor.name = value.name;
        }
        return tensor;
    }

    CatalogContent& content;
    const program::Method& method;
    InstructionNodes nodes;
};

}  // namespace

void addDelegateWeights(CatalogContent& content, const CatalogSources& sources) {
    const Session& session = *sources.session;
    if (session.program == nullptr) {
        return;
    }
    const auto found = delegatesOf({.program = *session.program,
                                    .tensorData = sources.tensorData,
                                    .backends = sources.backends,
                                    .record = session.recordOfProgram()});
    if (!found) {
        content.problems.push_back(found.error().toString());
        return;
    }
    const executor::ModuleData data(*session.program, sources.tensorData);
    for (const MethodDelegates& method : found->methods) {
        DelegateLister lister(content, sources, *method.method);
        for (std::size_t i = 0; i < method.delegates.size(); ++i) {
            if (method.delegates[i].graph != nullptr) {
                lister.list(i, method.delegates[i], data);
            }
        }
    }
}

}  // namespace et::inspector
