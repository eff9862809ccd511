#include "app/serve/program_description.h"

#include "app/serve/conversions.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <set>
#include <vector>

namespace et::serve {
namespace {

Dict describeValue(const program::Value& value) {
    Dict out;
    out["tag"] = text(program::valueTypeName(value));
    if (const auto* const info = value.as<program::TensorInfo>()) {
        out["sizes"] = Tuple{collected(info->sizes, [](const std::int64_t size) { return size; })};
        out["dtype"] = static_cast<int>(info->scalarType);
        out["dtype_name"] = text(core::scalarTypeName(info->scalarType));
        out["nbytes"] = info->byteSize.value_or(0);
        out["planned"] = info->allocation.has_value();
        out["name"] = text(info->name);
    }
    return out;
}

List describeValues(const program::Method& method, const std::vector<program::ValueId>& ids) {
    return collected(ids, [&](const program::ValueId id) { return describeValue(method.value(id)); });
}

/// Named tensors that keep their values between executions.
List stateOf(const program::Method& method) {
    List out;
    for (const program::Value& value : method.values) {
        const auto* const info = value.as<program::TensorInfo>();
        if (info != nullptr && info->allocation && !info->name.empty()) {
            out.push_back(describeValue(value));
        }
    }
    return out;
}

}  // namespace

Dict describeMethodValues(const program::Method& method) {
    List buffers;
    for (std::size_t i = 1; i < method.arenas.size(); ++i) {  // 0 is reserved
        buffers.push_back(method.arenas[i].bytes);
    }
    List backends;
    std::set<std::string_view> seen;
    for (const program::Delegate& delegate : method.delegates) {
        if (seen.insert(delegate.backend).second) {
            backends.push_back(text(delegate.backend));
        }
    }
    std::size_t instructions = 0;
    for (const program::Chain& chain : method.chains) {
        instructions += chain.instructions.size();
    }
    Dict out;
    out["name"] = text(method.name);
    out["inputs"] = describeValues(method, method.inputs);
    out["outputs"] = describeValues(method, method.outputs);
    out["attributes"] = stateOf(method);
    out["buffers"] = std::move(buffers);
    out["backends"] = std::move(backends);
    out["instructions"] = instructions;
    return out;
}

}  // namespace et::serve
